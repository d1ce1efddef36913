import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toGoRegExp } from '../go/go-reg-exp.ts'
import { LinearRegExp } from './linear-reg-exp.ts'

interface Recorded {
  readonly pattern: string
  readonly matches?: readonly string[]
  readonly misses?: readonly string[]
}

// Recorded from the regexp package of Go.
const recordedFile = new URL('../testdata/go-patterns.jsonl', import.meta.url)

function compiled(pattern: string): { regExp: RegExp; linear: LinearRegExp } | undefined {
  const { regExp } = toGoRegExp(pattern)
  const linear = regExp && LinearRegExp.from(regExp)
  return regExp && linear && { regExp, linear }
}

/** The result and the counted steps. */
function run(pattern: string, text: string): { isMatch: boolean | undefined; steps: number } {
  let steps = 0
  const isMatch = compiled(pattern)?.linear.test(text, (more) => (steps += more))
  return { isMatch, steps }
}

test('matches the same strings as Go for every recorded pattern', () => {
  const lines = readFileSync(recordedFile, 'utf8').trimEnd().split('\n')
  for (const line of lines) {
    const { pattern, matches = [], misses = [] } = JSON.parse(line) as Recorded
    const linear = compiled(pattern)?.linear
    const test = (text: string) => linear?.test(text, () => undefined)
    for (const text of matches) expect([pattern, text, test(text)]).toEqual([pattern, text, true])
    for (const text of misses) expect([pattern, text, test(text)]).toEqual([pattern, text, false])
  }
})

const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\w', '\\B', '\\b', '^', '$', '(?m:^)', '(?m:$)']
const pattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...atoms),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?'))
      .map(([a, repeat]) => `(${a})${repeat}`),
  ),
})).pattern

test('agrees with RegExp on random patterns and texts', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'ab\n-é😀'), maxLength: 6 }), {
    minLength: 3,
    maxLength: 3,
  })
  fc.assert(
    fc.property(pattern, texts, (source, examples) => {
      const both = compiled(source)
      for (const text of examples) {
        const isMatch = both?.linear.test(text, () => undefined)
        expect([source, text, isMatch]).toEqual([source, text, both?.regExp.test(text)])
      }
    }),
    { numRuns: 3000 },
  )
})

test('needs steps in proportion to the text where RegExp backtracks', () => {
  for (const source of ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '^(.*a){12}$', '(a*)*b']) {
    const short = run(source, `${'a'.repeat(1_000)}!`)
    const long = run(source, `${'a'.repeat(100_000)}!`)
    expect([source, short.isMatch, long.isMatch]).toEqual([source, false, false])
    expect(long.steps).toBeLessThan(short.steps * 101)
  }
})

test('reads the deepest and the longest pattern that Go accepts', () => {
  const deep = `${'(a|'.repeat(1000)}a${')*b'.repeat(1000)}`
  expect(run(deep, 'b'.repeat(1000)).isMatch).toBe(true)
  expect(run('a'.repeat(200_000), 'a').isMatch).toBeUndefined()
  expect(run('(ab?){1000}', 'a'.repeat(1000)).isMatch).toBe(true)
})
