/** The number of bytes that a base64 text encodes. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}

/** Decodes base64 to UTF-8 text; the input has already been validated as base64. */
export function base64Text(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const letter of text) {
    const value = alphabet.indexOf(letter)
    if (value < 0) continue
    bits = (bits << 6) | value
    count += 6
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 255)
    bits &= (1 << count) - 1
  }
  return utf8Text(bytes)
}

function utf8Text(bytes: readonly number[]): string {
  const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  try {
    return decodeURIComponent(escaped)
  } catch {
    return String.fromCharCode(...bytes)
  }
}
