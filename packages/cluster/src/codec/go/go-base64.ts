const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Map([...alphabet].map((char, index) => [char, index]))
const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const newlines = /[\r\n]/g

/** The position of an invalid byte: Go's `illegal base64 data at input byte N`. */
class Base64Error extends Error {
  constructor(at: number) {
    super(`illegal base64 data at input byte ${at}`)
    this.name = 'Base64Error'
  }
}

/** Bytes as standard base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    const bits = (a << 16) | (b << 8) | c
    const left = bytes.length - at
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63)
    text += left > 1 ? alphabet.charAt((bits >> 6) & 63) : '='
    text += left > 2 ? alphabet.charAt(bits & 63) : '='
  }
  return text
}

/** Decodes a text that `normalizeBase64` returned. */
export function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

/**
 * Go's output after decoding and encoding a base64 text: line breaks are removed and unused bits
 * are cleared. Throws Base64Error where Go refuses the text.
 */
export function normalizeBase64(text: string): string {
  const compact = newlines.test(text) ? text.replace(newlines, '') : text
  if (!canonical.test(compact)) throw new Base64Error(errorPosition(text))
  return clearUnusedBits(compact)
}

function clearUnusedBits(text: string): string {
  if (!text.endsWith('=')) return text
  const isDouble = text.endsWith('==')
  const at = text.length - (isDouble ? 3 : 2)
  const value = values.get(text.charAt(at)) ?? 0
  const cleared = value & (isDouble ? 0b110000 : 0b111100)
  if (cleared === value) return text
  return text.slice(0, at) + alphabet.charAt(cleared) + text.slice(at + 1)
}

/**
 * The position that Go reports: it reads groups of four bytes and reports the start of an
 * incomplete one.
 */
function errorPosition(text: string): number {
  let inQuantum = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\n' || char === '\r') continue
    if (values.has(char)) inQuantum = (inQuantum + 1) % 4
    else if (char !== '=' || inQuantum < 2) return byteOffset(text, at)
    else return positionAfterPadding(text, at + 1, inQuantum)
  }
  return byteOffset(text, text.length) - inQuantum
}

function positionAfterPadding(text: string, start: number, inQuantum: number): number {
  let at = skipNewlines(text, start)
  if (inQuantum === 2) {
    if (at === text.length) return byteOffset(text, at)
    if (text.charAt(at) !== '=') return byteOffset(text, at) - 1
    at = skipNewlines(text, at + 1)
  }
  return byteOffset(text, at)
}

function skipNewlines(text: string, start: number): number {
  let at = start
  while (text.charAt(at) === '\n' || text.charAt(at) === '\r') at++
  return at
}

function byteOffset(text: string, at: number): number {
  return new TextEncoder().encode(text.slice(0, at)).length
}
