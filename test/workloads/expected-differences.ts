/**
 * Scenarios with a different result on the embedded cluster, with the reason, by subject and name.
 * A reason for a whole subject means that its controller does not exist yet: its scenarios are not
 * run. A scenario that is listed by its name must differ. If it no longer does, the test fails and
 * the line has to be removed.
 */
export const expectedDifferences: Readonly<
  Record<string, string | Readonly<Record<string, string>>>
> = {}
