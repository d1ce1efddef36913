import type { RegExpProgram } from './reg-exp-program.ts'
import type { Assertion } from './reg-exp-tree.ts'

/** The kinds of characters that assertions distinguish, and the ends of the text. */
export type Neighbour = 'end' | 'newline' | 'word' | 'other'

/** Stands for the character after the last one. */
export const endOfText = -1

/** The kind of a character. */
export function neighbourOf(codePoint: number): Neighbour {
  if (codePoint === endOfText) return 'end'
  if (codePoint === 0xa) return 'newline'
  return codePoint < 0x80 && /\w/.test(String.fromCharCode(codePoint)) ? 'word' : 'other'
}

/** Whether an assertion holds between two characters. */
export function holds(kind: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (kind) {
    case 'text start':
      return before === 'end'
    case 'text end':
      return after === 'end'
    case 'line start':
      return before === 'end' || before === 'newline'
    case 'line end':
      return after === 'end' || after === 'newline'
    case 'word boundary':
      return (before === 'word') !== (after === 'word')
    case 'no word boundary':
      return (before === 'word') === (after === 'word')
  }
}

/** A place in the program, and where its match began. */
interface Thread {
  readonly place: number
  readonly start: number
}

/** Where a match begins and ends. */
interface Match {
  readonly start: number
  readonly end: number
}

/**
 * Finds the leftmost match from an offset on. It follows all ways through the program at the same
 * time, in the order of their preference, so that its time is linear in the text.
 */
export function findMatch(program: RegExpProgram, text: string, from: number): Match | undefined {
  let threads: Thread[] = []
  let found: Match | undefined
  let before = from === 0 ? 'end' : neighbourOf(lastCodePoint(text, from))
  for (let at = from; ;) {
    const codePoint = at < text.length ? (text.codePointAt(at) ?? 0) : endOfText
    const after = neighbourOf(codePoint)
    if (found === undefined) threads.push({ place: 0, start: at })
    const next: Thread[] = []
    const seen = new Set<number>()
    for (const thread of threads) {
      const end = follow(program, thread, { before, after, codePoint, seen, next })
      if (!end) continue
      // Less preferred ways end here.
      found = { start: thread.start, end: at }
      break
    }
    threads = next
    if (codePoint === endOfText || (threads.length === 0 && found !== undefined)) return found
    before = after
    at += codePoint > 0xffff ? 2 : 1
  }
}

interface Step {
  readonly before: Neighbour
  readonly after: Neighbour
  readonly codePoint: number
  readonly seen: Set<number>
  readonly next: Thread[]
}

/** Follows one thread to the next character; returns whether it reaches the end of a match. */
function follow(program: RegExpProgram, { place, start }: Thread, step: Step): boolean {
  const pending = [place]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const instruction = program[current]
    if (instruction === undefined || step.seen.has(current)) continue
    step.seen.add(current)
    switch (instruction.type) {
      case 'match':
        return true
      case 'fork':
        pending.push(instruction.other, instruction.next)
        break
      case 'assertion':
        if (holds(instruction.kind, step.before, step.after)) pending.push(instruction.next)
        break
      case 'characters':
        if (step.codePoint !== endOfText && instruction.test(step.codePoint)) {
          step.next.push({ place: instruction.next, start })
        }
    }
  }
  return false
}

function lastCodePoint(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  const isLow = last >= 0xdc00 && last <= 0xdfff
  return (isLow ? text.codePointAt(end - 2) : last) ?? endOfText
}
