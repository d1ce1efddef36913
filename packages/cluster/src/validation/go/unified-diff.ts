/**
 * The unified diff of two lists of lines in the server's messages. It matches lines as Python's
 * difflib does, because another choice among equal lines would change the text.
 */

type Block = readonly [a: number, b: number, size: number]

/** The number of context lines around a change. */
const context = 3

interface Range {
  readonly aLow: number
  readonly aHigh: number
  readonly bLow: number
  readonly bHigh: number
}

/** The positions of each line in b; in long texts very frequent lines are ignored. */
function indexOfLines(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [index, line] of b.entries()) {
    const known = places.get(line)
    if (known === undefined) places.set(line, [index])
    else known.push(index)
  }
  if (b.length >= 200) {
    const popular = Math.floor(b.length / 100) + 1
    for (const [line, indexes] of places) if (indexes.length > popular) places.delete(line)
  }
  return places
}

class Matcher {
  readonly #a: readonly string[]
  readonly #b: readonly string[]
  readonly #places: Map<string, number[]>

  constructor(a: readonly string[], b: readonly string[]) {
    this.#a = a
    this.#b = b
    this.#places = indexOfLines(b)
  }

  #longest({ aLow, aHigh, bLow, bHigh }: Range): Block {
    let [bestA, bestB, size] = [aLow, bLow, 0]
    let lengths = new Map<number, number>()
    for (let i = aLow; i < aHigh; i++) {
      const next = new Map<number, number>()
      for (const j of this.#places.get(this.#a[i] ?? '') ?? []) {
        if (j < bLow) continue
        if (j >= bHigh) break
        const length = (lengths.get(j - 1) ?? 0) + 1
        next.set(j, length)
        if (length > size) [bestA, bestB, size] = [i - length + 1, j - length + 1, length]
      }
      lengths = next
    }
    while (bestA > aLow && bestB > bLow && this.#a[bestA - 1] === this.#b[bestB - 1]) {
      ;[bestA, bestB, size] = [bestA - 1, bestB - 1, size + 1]
    }
    while (
      bestA + size < aHigh &&
      bestB + size < bHigh &&
      this.#a[bestA + size] === this.#b[bestB + size]
    ) {
      size++
    }
    return [bestA, bestB, size]
  }

  /** Equal blocks in order, ended by an empty one. */
  blocks(): Block[] {
    const found: Block[] = []
    const visit = (range: Range): void => {
      const block = this.#longest(range)
      const [i, j, size] = block
      if (size === 0) return
      visit({ ...range, aHigh: i, bHigh: j })
      found.push(block)
      visit({ ...range, aLow: i + size, bLow: j + size })
    }
    visit({ aLow: 0, aHigh: this.#a.length, bLow: 0, bHigh: this.#b.length })
    return [...found, [this.#a.length, this.#b.length, 0]]
  }
}

interface Change extends Range {
  readonly isEqual: boolean
}

function changesOf(blocks: readonly Block[]): Change[] {
  const changes: Change[] = []
  let [i, j] = [0, 0]
  for (const [aStart, bStart, size] of blocks) {
    if (i < aStart || j < bStart) {
      changes.push({ isEqual: false, aLow: i, aHigh: aStart, bLow: j, bHigh: bStart })
    }
    ;[i, j] = [aStart + size, bStart + size]
    if (size > 0) {
      const last = changes.at(-1)
      const isNext = last?.isEqual === true
      // Adjacent equal blocks are merged.
      if (isNext) changes.pop()
      const [aLow, bLow] = isNext ? [last.aLow, last.bLow] : [aStart, bStart]
      changes.push({ isEqual: true, aLow, aHigh: i, bLow, bHigh: j })
    }
  }
  return changes
}

/** Splits at long equal blocks and trims those at the ends. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = []
  let hunk: Change[] = []
  for (const [index, change] of changes.entries()) {
    let { aLow, aHigh, bLow, bHigh } = change
    if (change.isEqual && index === 0) {
      ;[aLow, bLow] = [Math.max(aLow, aHigh - context), Math.max(bLow, bHigh - context)]
    }
    if (change.isEqual && index === changes.length - 1) {
      ;[aHigh, bHigh] = [Math.min(aHigh, aLow + context), Math.min(bHigh, bLow + context)]
    }
    if (change.isEqual && aHigh - aLow > 2 * context) {
      hunk.push({ ...change, aLow, aHigh: aLow + context, bLow, bHigh: bLow + context })
      hunks.push(hunk)
      hunk = []
      ;[aLow, bLow] = [aHigh - context, bHigh - context]
    }
    hunk.push({ ...change, aLow, aHigh, bLow, bHigh })
  }
  if (hunk.length > 1 || hunk[0]?.isEqual === false) hunks.push(hunk)
  return hunks
}

function rangeText(start: number, end: number): string {
  const length = end - start
  if (length === 1) return String(start + 1)
  return length === 0 ? `${start},0` : `${start + 1},${length}`
}

/** The hunks as text; every line ends with a line break. */
export function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  const lines: string[] = []
  for (const hunk of hunksOf(changesOf(new Matcher(a, b).blocks()))) {
    const [first, last] = [hunk[0], hunk.at(-1)]
    if (first === undefined || last === undefined) continue
    const [left, right] = [rangeText(first.aLow, last.aHigh), rangeText(first.bLow, last.bHigh)]
    lines.push(`@@ -${left} +${right} @@`)
    for (const { isEqual, aLow, aHigh, bLow, bHigh } of hunk) {
      if (isEqual) lines.push(...a.slice(aLow, aHigh).map((line) => ` ${line}`))
      else {
        lines.push(...a.slice(aLow, aHigh).map((line) => `-${line}`))
        lines.push(...b.slice(bLow, bHigh).map((line) => `+${line}`))
      }
    }
  }
  return lines.map((line) => `${line}\n`).join('')
}
