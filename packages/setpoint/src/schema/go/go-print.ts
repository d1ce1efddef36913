/**
 * Prints values as Go does. Kubernetes builds its messages with Go's `%q`, `%v` and
 * `encoding/json`, and clients (and our conformance tests) compare those messages byte for byte.
 *
 * Integers above 2^53 keep their digits when they arrive as `bigint`; a `number` has already lost
 * them and is printed as it is.
 */
import type { JsonValue } from '../structural-schema.ts'

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** Whether Go would print the character as itself; deprecation warnings must be printable. */
export function isGoPrintable(character: string): boolean {
  return printable.test(character)
}

/** `%q`: a double-quoted Go string literal. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  let quoted = '"'
  for (const character of text.replace(/\p{Surrogate}/gu, '\ufffd')) {
    const short = shortEscapes[character]
    if (short !== undefined) quoted += short
    else if (isGoPrintable(character)) quoted += character
    else quoted += escapeCodePoint(character.codePointAt(0) ?? 0)
  }
  return quoted + '"'
}

function escapeCodePoint(codePoint: number): string {
  const hex = codePoint.toString(16)
  if (codePoint < 0x20 || codePoint === 0x7f) return '\\x' + hex.padStart(2, '0')
  return codePoint > 0xffff ? '\\U' + hex.padStart(8, '0') : '\\u' + hex.padStart(4, '0')
}

/** Whether Go's JSON decoder would keep the number as an int64 rather than a float64. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63
}

/**
 * A number for computations. An integer that is not a double becomes the nearest one towards zero,
 * so that a value that fits an int64 still does.
 */
export function asDouble(value: number | bigint): number {
  if (typeof value === 'number') return value
  const rounded = Number(value)
  if (rounded === 2 ** 63 && value < 2n ** 63n) return 2 ** 63 - 1024
  return rounded
}

/** `%v` of a number from JSON: integers are int64, others float64. */
export function goNumber(value: number): string {
  return isInt64(value) ? BigInt(value).toString() : goFloat(value)
}

/** `%v` of a float64: the shortest form, with an exponent below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  const sign = power < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
}

/** `encoding/json`: compact, keys sorted by bytes, `<`, `>`, `&` and line separators escaped. */
export function goJson(value: JsonValue): string {
  return sortedJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'),
  )
}

function sortedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const sorted = Object.keys(value).sort(compareText)
  const fields = sorted.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key] ?? null)}`)
  return `{${fields.join(',')}}`
}

/** Go's order of strings: by bytes, which for UTF-8 is by code points and not by UTF-16 units. */
export function compareText(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  const index = left.findIndex((codePoint, i) => codePoint !== right[i])
  return index === -1 ? left.length - right.length : (left[index] ?? 0) - (right[index] ?? -1)
}

/** The number of UTF-8 bytes of a string: Go's `len`. */
export function byteLength(text: string): number {
  let bytes = 0
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
  }
  return bytes
}
