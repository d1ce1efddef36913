import type { JsonValue } from 'setpoint/schema'
import { JsonSyntaxError } from '../json/json-syntax-error.ts'

/** YAML 1.1 words for values in Go's yaml v2. */
const words = new Map<string, JsonValue>()
for (const word of ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']) {
  words.set(word, true)
}
for (const word of ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']) {
  words.set(word, false)
}
for (const word of ['', '~', 'null', 'Null', 'NULL']) words.set(word, null)

const notFinite = /^(?:\.nan|\.NaN|\.NAN|[+-]?\.(?:inf|Inf|INF))$/
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const timestamp = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ])/
const integer = /^([+-]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/

const minInt64 = -(2n ** 63n)
const maxUint64 = 2n ** 64n - 1n

/**
 * The value of an unquoted scalar: YAML 1.1 with the choices of Go's yaml v2 (no sexagesimal
 * numbers, times remain strings).
 */
export function resolvePlainScalar(text: string): JsonValue {
  const word = words.get(text)
  if (word !== undefined) return word
  const first = text.charCodeAt(0)
  const mayBeNumber = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d
  if (!mayBeNumber && first !== 0x2e) return text
  if (notFinite.test(text)) throw new JsonSyntaxError(`json: unsupported value: ${goFloat(text)}`)
  if (timestamp.test(text)) return text
  const plain = text.replaceAll('_', '')
  return resolveInteger(plain) ?? (float.test(plain) ? Number(plain) : text)
}

function goFloat(text: string): string {
  if (/nan/i.test(text)) return 'NaN'
  return text.startsWith('-') ? '-Inf' : '+Inf'
}

function resolveInteger(text: string): number | bigint | undefined {
  const [, sign = '', digits = ''] = integer.exec(text) ?? []
  if (digits === '') return undefined
  const isOctal = /^0\d/.test(digits)
  const magnitude = BigInt(isOctal ? `0o${digits.slice(1)}` : digits)
  const value = sign === '-' ? -magnitude : magnitude
  if (value < minInt64 || value > maxUint64) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) || value >= 2n ** 63n ? number : value
}
