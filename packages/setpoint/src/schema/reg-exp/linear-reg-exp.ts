import { compileProgram, type RegExpProgram } from './reg-exp-program.ts'
import { endOfText, findMatch, holds, neighbourOf, type Neighbour } from './find-match.ts'
import { parseTranslated } from './reg-exp-tree.ts'

/** Counts steps of work. Throws when there were too many. */
type Spend = (steps: number) => void

/** A set of places in the program after the same characters, with its known successors. */
interface State {
  readonly places: readonly number[]
  readonly before: Neighbour
  readonly next: Map<number, State>
}

const matched: State = { places: [], before: 'end', next: new Map() }
/** Above it the known states are forgotten, so that memory is bounded. */
const cachedMax = 100_000

/**
 * Matches like `RegExp.test` in a time that is linear in the text, as Go does: it follows all
 * alternatives at the same time instead of trying one after the other, and remembers the sets of
 * places that it has seen.
 */
export class LinearRegExp {
  readonly #program: RegExpProgram
  readonly #states = new Map<string, State>()
  /** The last search that reached each place. */
  readonly #seen: Uint32Array
  #searches = 0
  #cached = 0

  private constructor(program: RegExpProgram) {
    this.#program = program
    this.#seen = new Uint32Array(program.length)
  }

  /** From a RegExp of `toGoRegExp`; undefined when the pattern is too large. */
  static from({ source }: RegExp): LinearRegExp | undefined {
    const program = compileProgram(parseTranslated(source))
    return program === undefined ? undefined : new LinearRegExp(program)
  }

  test(text: string, spend: Spend): boolean {
    let state = this.#state([], 'end')
    spend(text.length)
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at) ?? 0
      if (codePoint > 0xffff) at += 1
      state = state.next.get(codePoint) ?? this.#step(state, codePoint, spend)
      if (state === matched) return true
    }
    return (state.next.get(endOfText) ?? this.#step(state, endOfText, spend)) === matched
  }

  /** The first texts that match, from left to right, as Go's `FindAllString` finds them. */
  findAll(text: string, countMax: number): string[] {
    const found: string[] = []
    let at = 0
    let end = -1
    while (found.length < countMax && at <= text.length) {
      const match = findMatch(this.#program, text, at)
      if (match === undefined) break
      const isEmpty = match.end === match.start
      // An empty match directly after another one does not count.
      if (!isEmpty || match.start !== end) found.push(text.slice(match.start, match.end))
      end = match.end
      at = isEmpty ? match.end + ((text.codePointAt(match.end) ?? 0) > 0xffff ? 2 : 1) : match.end
    }
    return found
  }

  #step(from: State, codePoint: number, spend: Spend): State {
    const after = neighbourOf(codePoint)
    const reached = this.#reach(from, after)
    spend(reached.length + from.places.length)
    const to = reached === matched.places ? matched : this.#advance(reached, codePoint, after)
    from.next.set(codePoint, to)
    this.#cached += 1
    return to
  }

  #advance(reached: readonly number[], codePoint: number, after: Neighbour): State {
    const places = new Set<number>()
    for (const place of reached) {
      const instruction = this.#program[place]
      if (instruction?.type !== 'characters' || codePoint === endOfText) continue
      if (instruction.test(codePoint)) places.add(instruction.next)
    }
    return this.#state(
      [...places].sort((a, b) => a - b),
      after,
    )
  }

  /** All places that are reached without a character, or those of `matched`. */
  #reach({ places, before }: State, after: Neighbour): readonly number[] {
    // A match can begin anywhere.
    const pending = [...places, 0]
    const seen = this.#seen
    const search = ++this.#searches
    const reached: number[] = []
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      const instruction = this.#program[place]
      if (instruction === undefined || seen[place] === search) continue
      seen[place] = search
      reached.push(place)
      if (instruction.type === 'match') return matched.places
      if (instruction.type === 'fork') pending.push(instruction.next, instruction.other)
      if (instruction.type === 'assertion' && holds(instruction.kind, before, after)) {
        pending.push(instruction.next)
      }
    }
    return reached
  }

  #state(places: readonly number[], before: Neighbour): State {
    if (this.#cached > cachedMax) {
      this.#states.clear()
      this.#cached = 0
    }
    const key = `${before} ${places.join(' ')}`
    let state = this.#states.get(key)
    if (state === undefined) {
      state = { places, before, next: new Map() }
      this.#states.set(key, state)
      this.#cached += places.length
    }
    return state
  }
}
