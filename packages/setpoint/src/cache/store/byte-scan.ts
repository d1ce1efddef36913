/**
 * Scans JSON as bytes for an object's identity. A watch event is stored as received: the scan skips
 * everything else, which costs a fraction of parsing it. The text is JSON of an API server; the
 * scan returns -1 for anything else, and the caller parses.
 */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** The position after white space. */
function skipSpace(bytes: Uint8Array, at: number): number {
  let index = at
  for (;;) {
    const byte = bytes[index]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return index
    index += 1
  }
}

/** The position after the string that starts here; -1 when it does not end. */
function skipString(bytes: Uint8Array, at: number): number {
  const { length } = bytes
  let index = at + 1
  while (index < length) {
    const byte = bytes[index]
    if (byte === quote) return index + 1
    index += byte === backslash ? 2 : 1
  }
  return -1
}

/** The position after the value that starts here; -1 when it does not end. */
function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === quote) return skipString(bytes, at)
  if (first === openBrace || first === openBracket) return skipContainer(bytes, at)
  let index = at
  while (index < bytes.length && !isEnd(bytes[index] ?? 0)) index += 1
  return index === at ? -1 : index
}

function isEnd(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20
}

function skipContainer(bytes: Uint8Array, at: number): number {
  const { length } = bytes
  let depth = 0
  let index = at
  while (index < length) {
    const byte = bytes[index]
    if (byte === quote) {
      index = skipString(bytes, index)
      if (index === -1) return -1
      continue
    }
    if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1
      if (depth === 0) return index + 1
    }
    index += 1
  }
  return -1
}

/** The positions of a field's key and value. */
export interface FieldSpan {
  /** The opening quote of the key. */
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
}

/**
 * Calls `visit` for each field of the object that starts here. Returns the position after it, or -1
 * when this is not an object that can be scanned.
 */
export function eachField(
  bytes: Uint8Array,
  at: number,
  visit: (field: FieldSpan) => void,
): number {
  if (bytes[at] !== openBrace) return -1
  let index = skipSpace(bytes, at + 1)
  if (bytes[index] === closeBrace) return index + 1
  for (;;) {
    const start = index
    if (bytes[start] !== quote) return -1
    const keyEnd = skipString(bytes, start)
    if (keyEnd === -1) return -1
    index = skipSpace(bytes, keyEnd)
    if (bytes[index] !== colon) return -1
    const valueStart = skipSpace(bytes, index + 1)
    const valueEnd = skipValue(bytes, valueStart)
    if (valueEnd === -1) return -1
    visit({ start, valueStart, valueEnd })
    index = skipSpace(bytes, valueEnd)
    const next = bytes[index]
    if (next === closeBrace) return index + 1
    if (next !== comma) return -1
    index = skipSpace(bytes, index + 1)
  }
}

/** Calls `visit` for each item of the list that starts here; does nothing when it is not a list. */
export function eachItem(
  bytes: Uint8Array,
  at: number,
  visit: (start: number, end: number) => void,
): void {
  if (bytes[at] !== openBracket) return
  let index = skipSpace(bytes, at + 1)
  while (index < bytes.length && bytes[index] !== closeBracket) {
    const end = skipValue(bytes, index)
    if (end === -1) return
    visit(index, end)
    index = skipSpace(bytes, end)
    if (bytes[index] === comma) index = skipSpace(bytes, index + 1)
  }
}

/** Whether the key at this quote is exactly this word of unescaped characters. */
export function isKey(bytes: Uint8Array, at: number, word: string): boolean {
  const { length } = word
  if (bytes[at + length + 1] !== quote) return false
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + 1 + index] !== word.charCodeAt(index)) return false
  }
  return true
}

const utf8 = new TextDecoder()

/** A string value without escapes; `undefined` for anything else. */
export function plainString(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (bytes[start] !== quote) return undefined
  for (let index = start + 1; index < end - 1; index += 1) {
    if (bytes[index] === backslash) return undefined
  }
  return utf8.decode(bytes.subarray(start + 1, end - 1))
}
