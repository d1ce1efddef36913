/** All bytes as two hexadecimal digits: a lookup is several times faster than formatting. */
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A random (version 4) UUID from 16 random bytes. */
export function uuidFrom(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < 16; index += 1) {
    const byte = bytes[index] ?? 0
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
    if (index === 6) text += hex[(byte & 0x0f) | 0x40]
    else if (index === 8) text += hex[(byte & 0x3f) | 0x80]
    else text += hex[byte]
  }
  return text
}
