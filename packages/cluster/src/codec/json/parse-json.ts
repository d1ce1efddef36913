import type { JsonValue } from 'setpoint/schema'
import { JsonReader, type ParsedText } from './json-reader.ts'

/**
 * Parses JSON with Go's rules and messages. A usual text needs one native parse and two cheap
 * traversals. Only a text with duplicate fields, big or fractional numbers, surrogate escapes or
 * errors is parsed again by JsonReader. The last value of a duplicate field wins, or all are merged
 * (`mergesRepeated`), as in Go's structs.
 */
export function parseJson(
  text: string,
  { mergesRepeated = false }: { readonly mergesRepeated?: boolean } = {},
): ParsedText {
  const value = parsePlainJson(text)
  if (value !== undefined) return { value, duplicateFields: [] }
  return new JsonReader(text, undefined, mergesRepeated).read()
}

/** The native parse of a text without special cases; undefined for other texts. */
export function parsePlainJson(text: string): JsonValue | undefined {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
  const fields = fieldsInText(text)
  return fields === undefined || fields !== fieldsInValue(value) ? undefined : value
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const point = 0x2e
/** `e` and `E`, with bit 5 set. */
const exponent = 0x65

/**
 * The number of fields in a valid JSON text; undefined if it has something that JSON.parse loses.
 */
function fieldsInText(text: string): number | undefined {
  if (/\\u[dD]/.test(text)) return undefined
  let fields = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === colon) fields++
    else if (code === point) return undefined
    else if ((code | 0x20) === exponent && isDigit(text.charCodeAt(at - 1))) return undefined
  }
  return fields
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === backslash) before--
  return (at - before) % 2 === 0
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The number of fields in a value; undefined if a number or the depth needs JsonReader. */
function fieldsInValue(root: JsonValue): number | undefined {
  let fields = 0
  let depth = 0
  let level: JsonValue[] = [root]
  while (level.length > 0) {
    // Go allows 10,000 levels of containers; JsonReader decides about depths near the limit.
    if (++depth > 9_000) return undefined
    const next: JsonValue[] = []
    for (const value of level) {
      if (typeof value === 'number') {
        if (!Number.isSafeInteger(value) || Object.is(value, -0)) return undefined
      } else if (Array.isArray(value)) {
        for (const item of value) next.push(item)
      } else if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) {
          fields++
          const item = value[key] as JsonValue
          if (typeof item === 'number' || typeof item === 'object') next.push(item)
        }
      }
    }
    level = next
  }
  return fields
}
