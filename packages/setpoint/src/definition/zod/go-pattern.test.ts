import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toGoRegExp } from '../../schema/index.ts'
import { goPattern } from './go-pattern.ts'

const translated: readonly (readonly [RegExp, string])[] = [
  [/^a+$/, '^a+$'],
  [/^[a-z]+(-[a-z]+)*$/i, '(?i)^[a-z]+(-[a-z]+)*$'],
  [/^a.b$/s, '(?s)^a.b$'],
  [/^a$/m, '(?m)^a$'],
  [/a\/b/, 'a/b'],
  [/[\u0041-\u005a]/, '[\\x{0041}-\\x{005a}]'],
  [/\u{1f600}/u, '\\x{1f600}'],
  [/(?<year>\d{4})/, '(?<year>\\d{4})'],
  [/^\p{L}+$/u, '^\\p{L}+$'],
  [/a\\z/, 'a\\\\z'],
  [/a\\u0041/, 'a\\\\u0041'],
]

test.each(translated)('translates %s for a server', (regExp, pattern) => {
  expect(goPattern(regExp)).toEqual({ pattern })
})

const refused: readonly (readonly [RegExp, RegExp])[] = [
  [/(?=a)/, /lookahead/],
  [/(?<!a)b/, /lookbehind/],
  [/(a)\1/, /backreference/],
  [/a/y, /flag "y"/],
  [/a{1001}/, /1000|repeat/],
  [new RegExp('[\\p{L}--[a-z]]', 'v'), /flag "v"/],
  [/\z/, /read \\z differently/],
  [/^\pL$/, /read \\p differently/],
  [/[[:digit:]]/, /\[\[:digit:\] differently/],
]

test.each(refused)('refuses %s with the reason', (regExp, reason) => {
  const result = goPattern(regExp)
  expect('reason' in result ? result.reason : '').toMatch(reason)
})

test('matches the same strings after translation', () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '-', '/', '\n', '4', ' '),
    maxLength: 6,
  })
  for (const [regExp] of translated) {
    const result = goPattern(regExp)
    const go = toGoRegExp('pattern' in result ? result.pattern : '').regExp
    fc.assert(
      fc.property(texts, (text) => {
        expect(go?.test(text), `${String(regExp)} on ${JSON.stringify(text)}`).toBe(
          regExp.test(text),
        )
      }),
      { numRuns: 100 },
    )
  }
})
