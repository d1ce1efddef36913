/** Whether a value of unknown origin is an object: not a list, not null. */
export function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
