import { goQuote } from 'setpoint/schema'

/** A text that is not JSON or YAML; the message is Go's. */
export class JsonSyntaxError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonSyntaxError'
  }
}

/** The text ends too early. */
export function unexpectedEnd(): JsonSyntaxError {
  return new JsonSyntaxError('unexpected end of JSON input')
}

/** An unexpected character. Go reads bytes, so for non-ASCII characters it names the first byte. */
export function unexpectedCharacter(codePoint: number, context: string): JsonSyntaxError {
  const byte = firstByte(codePoint)
  const char = String.fromCharCode(byte)
  const shown = char === "'" ? "\\'" : char === '"' ? '"' : goQuote(char).slice(1, -1)
  return new JsonSyntaxError(`invalid character '${shown}' ${context}`)
}

function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6)
  if (codePoint < 0x10000) return 0xe0 | (codePoint >> 12)
  return 0xf0 | (codePoint >> 18)
}
