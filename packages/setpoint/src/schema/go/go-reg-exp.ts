/**
 * Patterns of a CRD are Go regular expressions (RE2): no lookaround, no backreferences, and other
 * escapes and inline flags than JavaScript. This parser accepts exactly what Go accepts, returns
 * Go's error messages, and translates the pattern to a JavaScript RegExp. Only whether a string
 * matches is the same; groups are not kept. Go matches in linear time, JavaScript may backtrack:
 * a server that does not trust the author of a CRD runs it with a meter (work-meter.ts).
 */
import {
  memberOf,
  perlClass,
  posixClass,
  rangeMember,
  unicodeClass,
  withOtherCases,
} from './go-char-class.ts'
import { spend } from '../work-meter.ts'
import { GoRegExpProblem, readEscape, readRepeat } from './go-reg-exp-tokens.ts'

/** The translated pattern, or the server's message and why RE2 does not support it. */
export type GoRegExp =
  | { readonly regExp: RegExp; readonly problem?: undefined }
  | { readonly regExp?: undefined; readonly problem: string; readonly reason: string }

/**
 * Checks a pattern against Go's dialect and translates it. Use it wherever a schema's `pattern` is
 * tested: `new RegExp(pattern)` accepts patterns that a cluster refuses, and matches others
 * differently.
 */
export function toGoRegExp(pattern: string): GoRegExp {
  try {
    // The flag `v` only selects the grammar.
    return { regExp: new RegExp(new Parser(pattern).parse(), 'v') }
  } catch (error) {
    if (!(error instanceof GoRegExpProblem)) throw error
    return { problem: error.message, reason: error.reason }
  }
}

interface Flags {
  readonly foldCase: boolean
  readonly multiLine: boolean
  readonly dotMatchesNewline: boolean
}

interface Piece {
  readonly source: string
  /** The product of nested counted repetitions; Go's limit is 1000. */
  readonly weight: number
}

interface Group {
  readonly flagsBefore: Flags
  readonly alternatives: string[]
  pieces: Piece[]
  weight: number
}

const anything = '[\\p{Any}]'
const line = negated('\\n')
const nestingMax = 1000
const repeatMax = 1000
/** What a meter counts for each character of a pattern. */
const stepsPerCharacter = 20

class Parser {
  readonly #pattern: string
  #index = 0
  #flags: Flags = { foldCase: false, multiLine: false, dotMatchesNewline: false }
  #group: Group
  readonly #outer: Group[] = []
  readonly #lastNamedEnd: number

  constructor(pattern: string) {
    spend(stepsPerCharacter * pattern.length)
    this.#pattern = pattern
    this.#lastNamedEnd = pattern.lastIndexOf(':]')
    this.#group = this.#newGroup()
  }

  parse(): string {
    let repeatStart = -1
    while (this.#index < this.#pattern.length) {
      const start = this.#index
      const isRepeat = this.#parseRepeat(repeatStart)
      if (!isRepeat) this.#parseAtom()
      repeatStart = isRepeat ? start : -1
    }
    if (this.#outer.length > 0) throw new GoRegExpProblem('missing closing )', this.#pattern)
    return this.#closed().source
  }

  #newGroup(): Group {
    return { flagsBefore: this.#flags, alternatives: [], pieces: [], weight: 1 }
  }

  #parseAtom(): void {
    const character = this.#pattern.charAt(this.#index)
    if (character === '(') return this.#openGroup()
    if (character === '[') return this.#parseClass()
    if (character === '\\') return this.#parseEscape()
    if (character === ')') return this.#closeGroup()
    if (character === '|') return this.#endAlternative()
    if (character === '^') return this.#push(this.#flags.multiLine ? '(?<=^|\\n)' : '^', 1)
    if (character === '$') return this.#push(this.#flags.multiLine ? '(?=$|\\n)' : '$', 1)
    if (character === '.') return this.#push(this.#flags.dotMatchesNewline ? anything : line, 1)
    const codePoint = this.#pattern.codePointAt(this.#index) ?? 0
    this.#index += codePoint > 0xffff ? 2 : 1
    this.#pushLiteral(codePoint)
  }

  #push(source: string, length: number): void {
    this.#group.pieces.push({ source, weight: 1 })
    this.#index += length
  }

  #pushLiteral(codePoint: number): void {
    this.#push(
      this.#flags.foldCase ? `[${withOtherCases(memberOf(codePoint))}]` : memberOf(codePoint),
      0,
    )
  }

  /** Reads `*`, `+`, `?` or `{n,m}` and wraps the piece before it; false when there is none. */
  #parseRepeat(previousStart: number): boolean {
    const start = this.#index
    const repeat = readRepeat(this.#pattern, start)
    if (repeat === undefined) return false
    let end = start + repeat.length
    // Whether a repetition is lazy decides which text a match has, and never whether there is one.
    const laziness = this.#pattern.charAt(end) === '?' ? '?' : ''
    end += laziness.length
    const text = this.#pattern.slice(start, end)
    if (repeat.isCounted && isBadCount(repeat)) {
      throw new GoRegExpProblem(
        'invalid repeat count',
        this.#pattern.slice(start, start + repeat.length),
      )
    }
    if (previousStart !== -1) {
      throw new GoRegExpProblem(
        'invalid nested repetition operator',
        this.#pattern.slice(previousStart, end),
      )
    }
    const piece = this.#group.pieces.pop()
    if (piece === undefined)
      throw new GoRegExpProblem('missing argument to repetition operator', text)
    const { min, max } = repeat
    const times = repeat.isCounted ? (max ?? min) : 1
    const weight = repeat.isCounted && max === 0 ? 1 : Math.max(times, 1) * piece.weight
    if (repeat.isCounted && (min >= 2 || (max ?? 0) >= 2) && weight > repeatMax) {
      throw new GoRegExpProblem('invalid repeat count', text)
    }
    this.#group.pieces.push({ source: `(?:${piece.source})${repeat.source}${laziness}`, weight })
    this.#index = end
    return true
  }

  #openGroup(): void {
    if (this.#outer.length >= nestingMax) {
      throw new GoRegExpProblem('expression nests too deeply', this.#pattern)
    }
    if (this.#pattern.charAt(this.#index + 1) === '?') return this.#openSpecialGroup()
    this.#enterGroup(1)
  }

  #enterGroup(length: number, flags = this.#flags): void {
    this.#outer.push(this.#group)
    this.#group = this.#newGroup()
    this.#flags = flags
    this.#index += length
  }

  #openSpecialGroup(): void {
    const rest = this.#pattern.slice(this.#index)
    if (/^\(\?P?<./su.test(rest)) {
      const end = rest.indexOf('>')
      const opening = end === -1 ? rest : rest.slice(0, end + 1)
      if (!/^\(\?P?<[A-Za-z0-9_]+>$/.test(opening)) {
        throw new GoRegExpProblem('invalid named capture', opening)
      }
      return this.#enterGroup(opening.length)
    }
    const match = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest)
    if (match === null) {
      throw new GoRegExpProblem('invalid or unsupported Perl syntax', unsupportedGroup(rest))
    }
    const [opening, on = '', off = '', end] = match
    const flags = changeFlags(changeFlags(this.#flags, on, true), off, false)
    if (end === ':') return this.#enterGroup(opening.length, flags)
    this.#flags = flags
    this.#index += opening.length
  }

  #closeGroup(): void {
    const outer = this.#outer.pop()
    if (outer === undefined) throw new GoRegExpProblem('unexpected )', this.#pattern)
    const closed = this.#closed()
    this.#flags = this.#group.flagsBefore
    this.#group = outer
    this.#group.pieces.push({ source: `(?:${closed.source})`, weight: closed.weight })
    this.#index += 1
  }

  #endAlternative(): void {
    const { pieces, alternatives } = this.#group
    alternatives.push(pieces.map((piece) => piece.source).join(''))
    for (const { weight } of pieces) this.#group.weight = Math.max(this.#group.weight, weight)
    this.#group.pieces = []
    this.#index += 1
  }

  #closed(): Piece {
    this.#endAlternative()
    this.#index -= 1
    return { source: this.#group.alternatives.join('|'), weight: this.#group.weight }
  }

  #parseEscape(): void {
    const next = this.#pattern.charAt(this.#index + 1)
    if (next === 'A') return this.#push('^', 2)
    if (next === 'z') return this.#push('$', 2)
    if (next === 'b') return this.#push('\\b', 2)
    // V8 also matches inside a surrogate pair, where no character ends.
    if (next === 'B') return this.#push(`(?:(?<=^|${anything})\\B)`, 2)
    if (next === 'Q') return this.#parseQuoted()
    const members = this.#readClassEscape()
    if (members !== undefined) return this.#push(`[${members}]`, 0)
    const escape = readEscape(this.#pattern, this.#index)
    this.#index += escape.length
    this.#pushLiteral(escape.codePoint)
  }

  #parseQuoted(): void {
    const start = this.#index + 2
    const end = this.#pattern.indexOf('\\E', start)
    const text = this.#pattern.slice(start, end === -1 ? undefined : end)
    for (const character of text) this.#pushLiteral(character.codePointAt(0) ?? 0)
    this.#index = end === -1 ? this.#pattern.length : end + 2
  }

  #parseClass(): void {
    const start = this.#index
    this.#index += 1
    const isNegated = this.#pattern.charAt(this.#index) === '^'
    if (isNegated) this.#index += 1
    let members = ''
    do {
      members += this.#readNamedClass() ?? this.#readClassEscape() ?? this.#readRange(start)
    } while (this.#pattern.charAt(this.#index) !== ']')
    this.#push(isNegated ? negated(members) : `[${members}]`, 1)
  }

  /** `[:alpha:]` and `[:^alpha:]`, inside brackets. */
  #readNamedClass(): string | undefined {
    if (!this.#pattern.startsWith('[:', this.#index)) return undefined
    // The last end is known first: a search for each opening would be quadratic.
    if (this.#index + 2 > this.#lastNamedEnd) return undefined
    const end = this.#pattern.indexOf(':]', this.#index + 2)
    const text = this.#pattern.slice(this.#index, end + 2)
    const isNegated = text.charAt(2) === '^'
    const members = posixClass(text.slice(isNegated ? 3 : 2, -2))
    if (members === undefined) throw new GoRegExpProblem('invalid character class range', text)
    this.#index = end + 2
    return this.#classMembers(members, isNegated)
  }

  /** `\d`, `\W`, `\pL`, `\P{Greek}`, `\p{^Lu}`, inside and outside of brackets. */
  #readClassEscape(): string | undefined {
    const rest = this.#pattern.slice(this.#index, this.#index + 3)
    const perl = /^\\[dDsSwW]/.exec(rest)?.[0]
    if (perl !== undefined) {
      this.#index += 2
      const letter = perl.charAt(1)
      const members = perlClass(letter.toLowerCase())
      return members && this.#classMembers(members, letter !== letter.toLowerCase())
    }
    return /^\\[pP]/.test(rest) ? this.#readUnicodeClass() : undefined
  }

  #readUnicodeClass(): string {
    const rest = this.#pattern.slice(this.#index)
    const text = /^\\[pP](?:\{[^}]*\}|[^{])/su.exec(rest)?.[0] ?? rest
    const name = text.slice(2).replace(/^\{(.*)\}$/s, '$1')
    const isCaret = name.startsWith('^')
    const members = unicodeClass(isCaret ? name.slice(1) : name)
    if (members === undefined) throw new GoRegExpProblem('invalid character class range', text)
    this.#index += text.length
    return this.#classMembers(members, isCaret !== text.startsWith('\\P'))
  }

  #classMembers(members: string, isNegated: boolean): string {
    const all = this.#flags.foldCase ? withOtherCases(members) : members
    return isNegated ? `[^${all}]` : all
  }

  #readRange(classStart: number): string {
    const start = this.#index
    const from = this.#readClassCharacter(classStart)
    let to = from
    if (/^-[^\]]/su.test(this.#pattern.slice(this.#index, this.#index + 3))) {
      this.#index += 1
      to = this.#readClassCharacter(classStart)
    }
    if (to < from) {
      const text = this.#pattern.slice(start, this.#index)
      throw new GoRegExpProblem('invalid character class range', text)
    }
    return this.#classMembers(rangeMember(from, to), false)
  }

  #readClassCharacter(classStart: number): number {
    const codePoint = this.#pattern.codePointAt(this.#index)
    if (codePoint === undefined) {
      throw new GoRegExpProblem('missing closing ]', this.#pattern.slice(classStart))
    }
    if (codePoint !== 0x5c) {
      this.#index += codePoint > 0xffff ? 2 : 1
      return codePoint
    }
    const escape = readEscape(this.#pattern, this.#index)
    this.#index += escape.length
    return escape.codePoint
  }
}

/**
 * A negated class is always nested in another one: V8 in Node 20 negates a bare `[^...]` again
 * whenever it unrolls a repetition around it, and then matches the opposite.
 */
function negated(members: string): string {
  return `[[^${members}]]`
}

function isBadCount({ min, max }: { min: number; max: number | undefined }): boolean {
  return min > repeatMax || (max !== undefined && (max > repeatMax || min > max))
}

/** The part of an unknown `(?...` that Go quotes: up to the first invalid character. */
function unsupportedGroup(rest: string): string {
  return /^\(\?[imsU]*(?:-[imsU]*)?.?/su.exec(rest)?.[0] ?? rest
}

function changeFlags(flags: Flags, letters: string, isOn: boolean): Flags {
  return {
    foldCase: letters.includes('i') ? isOn : flags.foldCase,
    multiLine: letters.includes('m') ? isOn : flags.multiLine,
    dotMatchesNewline: letters.includes('s') ? isOn : flags.dotMatchesNewline,
  }
}
