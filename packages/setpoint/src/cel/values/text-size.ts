/** The number of code points in a text, which is its size in CEL. */
export function textSize(text: string): number {
  let size = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0xd800 || code > 0xdbff) continue
    const next = text.charCodeAt(index + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      size--
      index++
    }
  }
  return size
}
