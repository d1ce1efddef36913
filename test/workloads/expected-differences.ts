/**
 * Scenarios that go otherwise on the embedded cluster, with the reason, by subject and name. A reason for a whole
 * subject means that its controller does not exist yet: its scenarios are not run. A scenario that is listed by its
 * name must differ; when it no longer does, the test says so and the line goes.
 */
export const expectedDifferences: Readonly<
  Record<string, string | Readonly<Record<string, string>>>
> = {}
