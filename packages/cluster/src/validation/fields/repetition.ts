/** A function that says whether it was called with the same value before: without a search. */
export function repetition(): (value: unknown) => boolean {
  const seen = new Set<unknown>()
  return (value) => {
    if (seen.has(value)) return true
    seen.add(value)
    return false
  }
}
