/** A short text that is the same for the same content, whatever the order of its keys. Not for secrets. */
export function contentHash(value: unknown): string {
  const text = canonicalText(value)
  // Two hashes of 32 bits (FNV-1a with different starts): fast, and good enough to notice a change.
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ (unit + index), 0x01000193)
  }
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(
      Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)),
    )
  })
}
