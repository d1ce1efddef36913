/** The known word that is closest to `given`, if the difference is small enough for a typo. */
export function suggest(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, distance: editDistance(given, word) }))
    .sort((left, right) => left.distance - right.distance)
  return best !== undefined && best.distance <= Math.max(1, Math.floor(given.length / 3))
    ? best.word
    : undefined
}

/** The edit distance of two words, where swapping two letters is one edit. */
function editDistance(left: string, right: string): number {
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
