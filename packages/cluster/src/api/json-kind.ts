import type { JsonValue } from 'setpoint/schema'

/** Go's name for the type of a JSON value, for type errors. */
export function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}
