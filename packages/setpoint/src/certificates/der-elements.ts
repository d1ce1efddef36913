/** One DER element: its tag, its content, and its whole encoding. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  readonly whole: Uint8Array
}

/** Splits bytes into DER elements. Invalid DER gives meaningless elements, but ends. */
export function derElements(bytes: Uint8Array = new Uint8Array()): DerElement[] {
  const elements: DerElement[] = []
  let at = 0
  while (at + 1 < bytes.length) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const digits = first < 128 ? 0 : first - 128
    const long = bytes.subarray(at + 2, at + 2 + digits)
    const length = first < 128 ? first : long.reduce((sum, byte) => sum * 256 + byte, 0)
    const start = at + 2 + digits
    const end = start + length
    elements.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return elements
}
