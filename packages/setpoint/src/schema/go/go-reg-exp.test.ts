import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toGoRegExp } from '../index.ts'

interface Recorded {
  readonly pattern: string
  readonly problem?: string
  readonly matches?: readonly string[]
  readonly misses?: readonly string[]
}

// Recorded from the regexp package of Go 1.26.8, which the API server of Kubernetes 1.36 uses.
const recorded = readFileSync(new URL('../testdata/go-patterns.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

test("accepts or refuses every recorded pattern with Go's message", () => {
  expect(recorded.length).toBeGreaterThan(350)
  for (const { pattern, problem } of recorded) {
    expect([pattern, toGoRegExp(pattern).problem]).toEqual([pattern, problem])
  }
})

test('matches the same strings as Go for every recorded pattern', () => {
  for (const { pattern, matches = [], misses = [] } of recorded) {
    const { regExp } = toGoRegExp(pattern)
    expect([pattern, matches.filter((text) => regExp?.test(text) === false)]).toEqual([pattern, []])
    expect([pattern, misses.filter((text) => regExp?.test(text) === true)]).toEqual([pattern, []])
  }
})

test('explains what RE2 does not support', () => {
  const reasonOf = (pattern: string) => {
    const result = toGoRegExp(pattern)
    return result.problem === undefined ? '' : result.reason
  }
  expect(reasonOf('^(?=.*[A-Z])')).toMatch(/lookahead and lookbehind \(\(\?=\) do not exist/)
  expect(reasonOf('(?<!a)b')).toMatch(/lookahead and lookbehind \(\(\?<!\) do not exist/)
  expect(reasonOf('(a)\\1')).toMatch(/backreferences \(\\1\) do not exist/)
  expect(reasonOf('a*+')).toMatch(/no possessive or stacked repetition/)
  expect(reasonOf('\\u0041')).toMatch(/\\x\{41\}/)
  expect(reasonOf('[')).toMatch(/missing closing \]/)
})

test('matches quoted text exactly', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((s) => !s.includes('\\E'))
  fc.assert(
    fc.property(text, (literal) => {
      const { regExp } = toGoRegExp(`\\A\\Q${literal}\\E\\z`)
      expect(regExp?.test(literal)).toBe(true)
      expect(regExp?.test(literal.slice(0, -1))).toBe(false)
    }),
  )
})

test('matches a repeated sequence of classes exactly for strings of their members', () => {
  const classes: readonly (readonly [string, (character: string) => boolean])[] = [
    ['x', (c) => c === 'x'],
    ['[^y]', (c) => c !== 'y'],
    ['[^\\D]', (c) => c === '1'],
    ['\\W', (c) => c === '/' || c === '\n'],
    ['[[:^digit:]]', (c) => c !== '1'],
    ['.', (c) => c !== '\n'],
    ['(?s:.)', () => true],
    ['(?i:[^X])', (c) => c !== 'x'],
  ]
  const line = fc.array(fc.constantFrom(...'xy1/\n'), { maxLength: 6 })
  const sequence = fc.array(fc.constantFrom(...classes), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(sequence, line, (atoms, characters) => {
      const source = atoms.map(([atom]) => atom).join('')
      const fits = characters.every((c, i) => atoms[i % atoms.length]?.[1](c))
      const times = characters.length / atoms.length
      for (const [repeat, isCount] of [
        ['+', times >= 1],
        ['*', true],
        ['{2}', times === 2],
        ['{1,}', times >= 1],
        ['{1,3}', times >= 1 && times <= 3],
      ] as const) {
        const { regExp } = toGoRegExp(`^(${source})${repeat}$`)
        const isMatch = fits && Number.isInteger(times) && isCount
        expect([source, repeat, regExp?.test(characters.join(''))]).toEqual([
          source,
          repeat,
          isMatch,
        ])
      }
    }),
    { numRuns: 1000 },
  )
})

test('translates or refuses any text, and never crashes', () => {
  const token = fc.constantFrom(...'a(|)[]{}*+?^$.\\-:,2pLQE<=!Pi '.split(''), '\\p{', '[:', '(?')
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const { regExp, problem } = toGoRegExp(tokens.join(''))
      expect(regExp === undefined).toBe(problem !== undefined)
    }),
    { numRuns: 2000 },
  )
})
