/**
 * Sets of characters in Go's regular expressions, written as members of a JavaScript character
 * class (flag `v`, which has nested classes). Every character is written as `\u{...}`, so that none
 * has a special meaning.
 */

import { spend } from '../work-meter.ts'

/** Inclusive ranges of code points, sorted and disjoint. */
type Ranges = readonly (readonly [number, number])[]

const digit: Ranges = [[0x30, 0x39]]
const upper: Ranges = [[0x41, 0x5a]]
const lower: Ranges = [[0x61, 0x7a]]
const word: Ranges = [...digit, ...upper, [0x5f, 0x5f], ...lower]

/** `\s` has no vertical tab in Go; JavaScript includes it and all Unicode spaces. */
const perlGroups: Readonly<Record<string, Ranges>> = {
  d: digit,
  w: word,
  s: [
    [0x9, 0xa],
    [0xc, 0xd],
    [0x20, 0x20],
  ],
}

const posixGroups: Readonly<Record<string, Ranges>> = {
  alnum: [...digit, ...upper, ...lower],
  alpha: [...upper, ...lower],
  ascii: [[0, 0x7f]],
  blank: [
    [0x9, 0x9],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit,
  graph: [[0x21, 0x7e]],
  lower,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x9, 0xd],
    [0x20, 0x20],
  ],
  upper,
  word,
  xdigit: [...digit, [0x41, 0x46], [0x61, 0x66]],
}

/** The names of general categories that Go and JavaScript share, by their letters in lower case. */
const categories: ReadonlyMap<string, string> = new Map(
  (
    'C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm ' +
    'So Z Zl Zp Zs Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control ' +
    'Currency_Symbol Dash_Punctuation Decimal_Number Enclosing_Mark Final_Punctuation Format ' +
    'Initial_Punctuation Letter Letter_Number Line_Separator Lowercase_Letter Mark Math_Symbol ' +
    'Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other Other_Letter ' +
    'Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Punctuation ' +
    'Separator Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned ' +
    'Uppercase_Letter cntrl digit punct Any ASCII Assigned'
  )
    .split(' ')
    .map((name) => [name.replace('_', '').toLowerCase(), name]),
)

/**
 * The only scripts with a four-letter name in Go; other four-letter names are ISO codes, unknown to
 * Go.
 */
const shortScripts = new Set('Ahom Cham Kawi Lisu Miao Modi Newa Thai Toto'.split(' '))

/** One code point as a class member. */
export function memberOf(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`
}

/** A range of code points as a class member. */
export function rangeMember(from: number, to: number): string {
  return from === to ? memberOf(from) : `${memberOf(from)}-${memberOf(to)}`
}

function rangesMember(ranges: Ranges): string {
  return ranges.map(([from, to]) => rangeMember(from, to)).join('')
}

/** The members of `\d`, `\w` or `\s`; `undefined` for another letter. */
export function perlClass(letter: string): string | undefined {
  const ranges = Object.hasOwn(perlGroups, letter) ? perlGroups[letter] : undefined
  return ranges && rangesMember(ranges)
}

/** The members of `[:name:]`. */
export function posixClass(name: string): string | undefined {
  const ranges = Object.hasOwn(posixGroups, name) ? posixGroups[name] : undefined
  return ranges && rangesMember(ranges)
}

/** The members of `\p{name}`: a general category, one of its long names, or a one-word script. */
export function unicodeClass(name: string): string | undefined {
  const bare = name.replace(/[ _-]/g, '')
  const category = categories.get(bare.toLowerCase())
  if (category !== undefined) return `\\p{${category}}`
  const canonical = bare.charAt(0).toUpperCase() + bare.slice(1).toLowerCase()
  if (canonical.length === 4 && !shortScripts.has(canonical)) return undefined
  try {
    const member = `\\p{Script=${canonical}}`
    new RegExp(member, 'v')
    return member
  } catch {
    return undefined
  }
}

/** Bounded, because a server reads the patterns of strangers. */
const foldedMax = 1000
const folded = new Map<string, string>()

/** Adds to the members every character that differs from one of them only in case. */
export function withOtherCases(members: string): string {
  const known = folded.get(members)
  if (known !== undefined) return known
  const isMember = new RegExp(`^[${members}]$`, 'v')
  spend(5 * caseOrbits().length)
  let extra = ''
  for (const orbit of caseOrbits()) {
    const outside = orbit.filter((codePoint) => !isMember.test(String.fromCodePoint(codePoint)))
    if (outside.length < orbit.length) extra += outside.map(memberOf).join('')
  }
  if (folded.size > foldedMax) folded.clear()
  folded.set(members, members + extra)
  return members + extra
}

let orbits: readonly (readonly number[])[] | undefined

/**
 * All sets of characters that are equal under simple case folding, such as `k`, `K` and the kelvin
 * sign.
 */
function caseOrbits(): readonly (readonly number[])[] {
  orbits ??= findCaseOrbits()
  return orbits
}

function findCaseOrbits(): number[][] {
  const orbitOf = new Map<number, number[]>()
  const isCased = /^[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]$/u
  for (let codePoint = 0x41; codePoint <= 0x1e943; codePoint += 1) {
    const character = String.fromCodePoint(codePoint)
    if (!isCased.test(character)) continue
    const sameFold = new RegExp(`^${memberOf(codePoint)}$`, 'iu')
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if (other === character || !sameFold.test(other)) continue
      joinOrbits(orbitOf, codePoint, other.codePointAt(0) ?? 0)
    }
  }
  return [...new Set(orbitOf.values())]
}

function joinOrbits(orbitOf: Map<number, number[]>, a: number, b: number): void {
  const left = orbitOf.get(a) ?? [a]
  const right = orbitOf.get(b) ?? [b]
  const joined = [...new Set([...left, ...right])]
  for (const codePoint of joined) orbitOf.set(codePoint, joined)
}
