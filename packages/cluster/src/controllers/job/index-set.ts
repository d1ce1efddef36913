/** An interval of completion indexes, both ends included. */
type Interval = readonly [first: number, last: number]

/**
 * Completion indexes of a Job in the format of its status: `0,2-5,8`. A Job may have 100,000 of
 * them, usually in a few intervals, so they are stored as intervals.
 */
export class IndexSet {
  static readonly empty = new IndexSet([])
  readonly #intervals: readonly Interval[]

  private constructor(intervals: readonly Interval[]) {
    this.#intervals = intervals
  }

  /**
   * Parses the text of a status or a rule. Parts that are not numbers or not below the completions
   * are skipped.
   */
  static parse(text: string, completions: number): IndexSet {
    const intervals: Interval[] = []
    for (const part of text.split(',')) {
      const [low = '', high] = part.split('-')
      const first = integerOf(low)
      const last = high === undefined ? first : integerOf(high)
      if (first !== undefined && first >= completions) break
      if (first === undefined || last === undefined) continue
      intervals.push([first, Math.min(last, completions - 1)])
    }
    return new IndexSet(merged(intervals))
  }

  static of(indexes: Iterable<number>): IndexSet {
    return new IndexSet(merged([...indexes].map((index): Interval => [index, index])))
  }

  union(other: IndexSet): IndexSet {
    return new IndexSet(merged([...this.#intervals, ...other.#intervals]))
  }

  has(index: number): boolean {
    return this.#intervals.some(([first, last]) => first <= index && index <= last)
  }

  /** The number of indexes in both sets. */
  overlap(other: IndexSet): number {
    let count = 0
    for (const [first, last] of this.#intervals) {
      for (const [otherFirst, otherLast] of other.#intervals) {
        count += Math.max(0, Math.min(last, otherLast) - Math.max(first, otherFirst) + 1)
      }
    }
    return count
  }

  /** The first indexes below a limit that are not in the set. */
  firstMissing(count: number, below: number): number[] {
    const missing: number[] = []
    let candidate = 0
    for (const [first, last] of [...this.#intervals, [below, below] as const]) {
      for (; candidate < Math.min(first, below) && missing.length < count; candidate++) {
        missing.push(candidate)
      }
      candidate = Math.max(candidate, last + 1)
    }
    return missing
  }

  get size(): number {
    return this.#intervals.reduce((total, [first, last]) => total + last - first + 1, 0)
  }

  toString(): string {
    return this.#intervals
      .map(([first, last]) => {
        if (first === last) return String(first)
        return `${first}${last === first + 1 ? ',' : '-'}${last}`
      })
      .join(',')
  }
}

function integerOf(text: string): number | undefined {
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined
}

/** Sorts intervals and joins adjacent ones. */
function merged(intervals: readonly Interval[]): Interval[] {
  const result: [number, number][] = []
  for (const [first, last] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const previous = result.at(-1)
    if (previous === undefined || first > previous[1] + 1) result.push([first, last])
    else previous[1] = Math.max(previous[1], last)
  }
  return result
}
