import { createHash } from 'node:crypto'

/** Random choices that only depend on a seed, so that every script can be repeated. */
export class Choices {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: string) {
    const hash = createHash('sha256').update(seed).digest()
    this.#a = hash.readUInt32LE(0)
    this.#b = hash.readUInt32LE(4)
    this.#c = hash.readUInt32LE(8)
  }

  /** At least 0 and below 1: the generator sfc32. */
  number(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }

  /** An integer from 0 to `below - 1`. */
  below(below: number): number {
    return Math.floor(this.number() * below)
  }

  isLikely(probability: number): boolean {
    return this.number() < probability
  }

  /** One of the items; there must be at least one. */
  one<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('there is nothing to choose from')
    return item
  }

  /** Up to `max` different items in random order. */
  some<Item>(items: readonly Item[], max: number): Item[] {
    const left = [...items]
    const count = this.below(Math.min(max, items.length) + 1)
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)).flat()
  }
}
