import type { Lane } from './lane.ts'

/** A lane that becomes possible at an instant. The object itself is the token of the hold. */
interface AgendaEntry {
  readonly dueMs: number
  readonly lane: Lane
}

/**
 * The future, earliest first: a binary heap. An entry whose lane no longer waits for it (a
 * cancelled timer) is dead and skipped; the dead are swept out when they are the majority, because
 * every request cancels its connect timeout long before it would be due.
 */
export class Agenda {
  #heap: AgendaEntry[] = []
  #addedSinceSweep = 0

  add(entry: AgendaEntry): void {
    this.#addedSinceSweep += 1
    if (this.#addedSinceSweep > 1024 && this.#addedSinceSweep > this.#heap.length / 2) this.#sweep()
    this.#heap.push(entry)
    this.#siftUp(this.#heap.length - 1)
  }

  /** When the next living entry is due. */
  nextDueMs(): number | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || isAlive(first)) return first?.dueMs
      this.#removeFirst()
    }
  }

  /** Takes the next entry; ask `nextDueMs` first. */
  take(): AgendaEntry | undefined {
    const first = this.#heap[0]
    if (first !== undefined) this.#removeFirst()
    return first
  }

  clear(): void {
    this.#heap = []
  }

  #sweep(): void {
    this.#addedSinceSweep = 0
    // A sorted array is a heap.
    this.#heap = this.#heap.filter(isAlive).sort((a, b) => a.dueMs - b.dueMs)
  }

  #removeFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#siftDown()
  }

  #siftUp(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapIfEarlier(index, parent)) return
      index = parent
    }
  }

  #siftDown(): void {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const child = this.#dueAt(left + 1) < this.#dueAt(left) ? left + 1 : left
      if (!this.#swapIfEarlier(child, index)) return
      index = child
    }
  }

  #dueAt(index: number): number {
    return this.#heap[index]?.dueMs ?? Infinity
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const below = this.#heap[child]
    const above = this.#heap[parent]
    if (below === undefined || above === undefined || below.dueMs >= above.dueMs) return false
    this.#heap[child] = above
    this.#heap[parent] = below
    return true
  }
}

function isAlive(entry: AgendaEntry): boolean {
  return entry.lane.isHeldBy(entry)
}
