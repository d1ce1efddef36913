import type { Hold } from './event-queue.ts'

/**
 * The pending entries, earliest first: a binary heap that knows the index of each entry. Cancelled
 * entries are removed immediately, because every request cancels its connect timeout long before it
 * is due.
 */
export class TimerHeap {
  #heap: Hold[] = []

  add(entry: Hold): void {
    this.#put(entry, this.#heap.length)
    this.#siftUp(entry)
  }

  /** Removes an entry; does nothing when it is not there. */
  remove(entry: Hold): void {
    const { heapIndex } = entry
    if (this.#heap[heapIndex] !== entry) return
    entry.heapIndex = -1
    const last = this.#heap.pop()
    if (last === undefined || last === entry) return
    this.#put(last, heapIndex)
    this.#siftUp(last)
    this.#siftDown(last)
  }

  /** When the next entry is due. */
  nextDueMs(): number | undefined {
    return this.#heap[0]?.dueMs
  }

  /** Takes the next entry; check `nextDueMs` first. */
  take(): Hold | undefined {
    const [first] = this.#heap
    if (first !== undefined) this.remove(first)
    return first
  }

  clear(): void {
    this.#heap = []
  }

  #put(entry: Hold, index: number): void {
    this.#heap[index] = entry
    entry.heapIndex = index
  }

  #siftUp(entry: Hold): void {
    for (;;) {
      const parent = this.#heap[(entry.heapIndex - 1) >> 1]
      if (parent === undefined || parent.dueMs <= entry.dueMs) return
      this.#swap(entry, parent)
    }
  }

  #siftDown(entry: Hold): void {
    for (;;) {
      const left = this.#heap[2 * entry.heapIndex + 1]
      const right = this.#heap[2 * entry.heapIndex + 2]
      const child = right !== undefined && right.dueMs < (left?.dueMs ?? 0) ? right : left
      if (child === undefined || child.dueMs >= entry.dueMs) return
      this.#swap(child, entry)
    }
  }

  #swap(below: Hold, above: Hold): void {
    const { heapIndex } = below
    this.#put(below, above.heapIndex)
    this.#put(above, heapIndex)
  }
}
