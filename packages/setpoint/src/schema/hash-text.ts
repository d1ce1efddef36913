/** The hash of a text: two 32-bit words, because one word alone would collide too often. */
export interface TextHash {
  readonly low: number
  readonly high: number
}

/**
 * Hashes a text with two variants of FNV-1a: fast, and good enough to notice a change. Not for
 * secrets. Stored annotations contain these hashes: the same text and seed must always give the
 * same hash.
 */
export function hashText(text: string, seed = 0): TextHash {
  let [low, high] = [0x811c9dc5, 0x9e3779b9 ^ seed]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ (unit + index), 0x01000193)
  }
  return { low, high }
}

/** A word of a hash as text. */
export function hashWord(word: number): string {
  return (word >>> 0).toString(36)
}
