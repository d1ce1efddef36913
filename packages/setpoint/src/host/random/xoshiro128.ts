/** The four words of xoshiro's state. */
type Xoshiro128State = readonly [number, number, number, number]

/** The bare xoshiro128** generator of Blackman and Vigna. The state must not be all zero. */
export function xoshiro128(state: Xoshiro128State): () => number {
  let [a, b, c, d] = state
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotateLeft(d, 11)
    return result
  }
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
