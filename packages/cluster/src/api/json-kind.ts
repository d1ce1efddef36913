import type { JsonValue } from 'setpoint/schema'

/** Go's word for the kind of a JSON value, for refusals of a wrong type. */
export function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}
