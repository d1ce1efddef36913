import { goNumber, goQuote, type JsonValue } from 'setpoint/schema'
import { compareBytes } from '../fields/path-element.ts'

/** Go's `%v` of a decoded JSON value, for messages about wrong types. */
export function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`
  if (typeof value !== 'object') return scalarText(value)
  return `map[${sortedEntries(value, (item) => goPlain(item)).join(' ')}]`
}

/** Go's `%#v` of a decoded JSON value. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (typeof value !== 'object') return scalarText(value)
  const keys = Object.keys(value).sort(compareBytes)
  const fields = keys.map((key) => `${goQuote(key)}:${goSyntax(value[key] ?? null)}`)
  return `map[string]interface {}{${fields.join(', ')}}`
}

function scalarText(value: string | number | bigint | boolean): string {
  return typeof value === 'number' ? goNumber(value) : String(value)
}

/** Go's `%T` of a decoded JSON value. */
export function goTypeName(value: JsonValue): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}

function sortedEntries(
  value: { readonly [key: string]: JsonValue },
  print: (item: JsonValue) => string,
): string[] {
  const keys = Object.keys(value).sort(compareBytes)
  return keys.map((key) => `${key}:${print(value[key] ?? null)}`)
}
