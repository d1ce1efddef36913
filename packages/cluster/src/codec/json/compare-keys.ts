/** Go sorts map keys by bytes; up to the first surrogate that is the order of code units. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    const isLeftWide = left >= 0xd800 && left <= 0xdfff
    const isRightWide = right >= 0xd800 && right <= 0xdfff
    if (isLeftWide !== isRightWide) return isLeftWide ? 1 : -1
    return left - right
  }
  return a.length - b.length
}
