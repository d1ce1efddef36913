/**
 * A first-in, first-out queue. `Array.shift` moves all remaining items, which makes a stream of
 * tens of thousands of small chunks quadratic; here the gap at the front is closed only now and
 * then.
 */
export class Fifo<Item> {
  #items: (Item | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  get first(): Item | undefined {
    return this.#items[this.#head]
  }

  get last(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.at(-1)
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  shift(): Item | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head] = undefined
    this.#head += 1
    if (this.#head * 2 > this.#items.length) this.#closeGap()
    return item
  }

  pop(): Item | undefined {
    return this.length === 0 ? undefined : this.#items.pop()
  }

  clear(): void {
    this.#items = []
    this.#head = 0
  }

  /** Moves fewer items than were taken since the last time: a constant cost per item. */
  #closeGap(): void {
    this.#items.splice(0, this.#head)
    this.#head = 0
  }
}
