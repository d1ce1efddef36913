import { checkByteCount } from '../check-byte-count.ts'
import type { Random } from '../host.ts'
import { uuidFrom } from './uuid-from.ts'
import { xoshiro128 } from './xoshiro128.ts'

/** Randomness that repeats exactly for the same seed. */
export interface SeededRandom extends Random {
  /** 32 random bits as an unsigned integer. */
  uint32(): number
  /** An integer in [0, bound), for a bound below 2^32. */
  below(bound: number): number
}

/**
 * Seeded randomness: xoshiro128**, with its state from splitmix32 of a hash of the seed. Use a
 * separate seed for each purpose (`` `${seed}/schedule` ``), so that one does not shift the values
 * of another. Fast and well distributed, but predictable: never for secrets.
 */
export function seededRandom(seed: number | string): SeededRandom {
  const next = splitmix32(hash(String(seed)))
  return randomFrom(xoshiro128([next(), next(), next(), next()]))
}

function randomFrom(uint32: () => number): SeededRandom {
  const randomBytes = (count: number) => {
    checkByteCount(count)
    const bytes = new Uint8Array(count)
    for (let index = 0; index < count; index += 1) bytes[index] = uint32() >>> 24
    return bytes
  }
  return {
    uint32,
    below: (bound) => Math.floor((uint32() / 2 ** 32) * bound),
    random: () => ((uint32() >>> 5) * 2 ** 26 + (uint32() >>> 6)) / 2 ** 53,
    randomBytes,
    uuid: () => uuidFrom(randomBytes(16)),
  }
}

/** FNV-1a over the UTF-16 units, enough to distinguish seeds before splitmix spreads them. */
function hash(text: string): number {
  let word = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    word = Math.imul(word ^ text.charCodeAt(index), 0x01000193)
  }
  return word >>> 0
}

function splitmix32(start: number): () => number {
  let word = start
  return () => {
    word = (word + 0x9e3779b9) | 0
    let mixed = word ^ (word >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}
