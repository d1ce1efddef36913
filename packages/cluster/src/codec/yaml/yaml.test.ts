import { readFileSync } from 'node:fs'
import type { JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { encodeYaml, JsonSyntaxError, parseYaml } from '../index.ts'

function recorded<T>(name: string): T[] {
  return JSON.parse(
    readFileSync(new URL(`../testdata/${name}.json`, import.meta.url), 'utf8'),
  ) as T[]
}

/** The answer in the form of the recording. */
function answerTo(text: string): string {
  try {
    const [problem] = parseYaml(text).duplicateFields
    return problem === undefined ? 'OK' : `DUP ${problem}`
  } catch (error) {
    return (error as Error).message
  }
}

/** Texts for which our parser is stricter or more lenient than Go's; they are rare in practice. */
const known = new Set([
  '  a: b\nc: d\n',
  '%YAML 3.0\n---\na: b\n',
  '%FOO\n---\na: b\n',
  'a: "x\ny"\n',
  'a: "b\n\nc"\n',
  'a: [\n\tb ]\n',
])

describe('parseYaml', () => {
  const cases = recorded<{ text: string; answer: string }>('yaml').filter(
    ({ text }) => !known.has(text) && !text.endsWith('data: {a: -}\n'),
  )

  it.each(cases)('answers $text like a real server', ({ text, answer }) => {
    expect(answerTo(text)).toBe(answer)
  })

  it('parses YAML 1.1 like Go', () => {
    const text = [
      'words: [yes, No, ON, off, y, n, ~, null, "yes"]',
      'numbers: [010, 0x1f, 0b11, 0o17, 1_000, +5, 1.0, 1e3, 9007199254740993]',
      'texts: [1:30, 2001-01-01, 2001-01-01T00:00:00Z, 0x, 08]',
      '1: a',
      'true: b',
    ].join('\n')
    expect(parseYaml(text).value).toEqual({
      words: [true, false, true, false, true, false, null, null, 'yes'],
      numbers: [8, 31, 3, 15, 1000, 5, 1, 1000, 9007199254740993n],
      texts: ['1:30', '2001-01-01', '2001-01-01T00:00:00Z', '0x', 8],
      '1': 'a',
      true: 'b',
    })
  })

  it('merges maps without overriding existing keys', () => {
    const text = 'x: &x {a: 1, b: 2}\nw:\n  a: 3\n  <<: *x\nz:\n  <<: [*x, {c: 4}]\n'
    expect(parseYaml(text).value).toMatchObject({ w: { a: 3, b: 2 }, z: { a: 1, b: 2, c: 4 } })
  })

  it('limits the growth of a document by aliases', () => {
    const level = (name: string, of: string): string =>
      `${name}: &${name} [${`*${of}, `.repeat(9)}*${of}]`
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]', level('b', 'a'), level('c', 'b')]
    const text = [...bomb, level('d', 'c'), level('e', 'd'), level('f', 'e')].join('\n')
    expect(() => parseYaml(text)).toThrow('yaml: document contains excessive aliasing')
  })

  it('parses JSON, and only the first document', () => {
    expect(parseYaml('{"a": [1, true, null]}').value).toEqual({ a: [1, true, null] })
    expect(parseYaml('a: 1\n---\nb: 2\n').value).toEqual({ a: 1 })
  })

  it('makes an own property of __proto__', () => {
    const { value } = parseYaml('__proto__: {a: 1}')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
  })
})

describe('encodeYaml', () => {
  /** Two lines with special cases of libyaml (byte order mark, line separator). */
  const quirks = /^ {2}(?:bom|ls): /

  it.each(recorded<{ object: JsonValue; yaml: string }>('yaml-output'))(
    'prints like a real server',
    ({ object, yaml }) => {
      const lines = (text: string): string[] =>
        text.split('\n').filter((line) => !quirks.test(line))
      expect(lines(encodeYaml(object))).toEqual(lines(yaml))
    },
  )

  it('prints text that parseYaml parses back', () => {
    for (const { object } of recorded<{ object: JsonValue }>('yaml-output')) {
      expect(parseYaml(encodeYaml(object)).value).toEqual(object)
    }
  })

  it('prints nested lists, empty collections and long keys', () => {
    const key = 'k'.repeat(130)
    expect(encodeYaml({ a: [[1, 2], [], {}], b: null, [key]: { c: 1.5 } })).toBe(
      `a:\n- - 1\n  - 2\n- []\n- {}\nb: null\n? ${key}\n:\n  c: 1.5\n`,
    )
  })
})

describe('a YAML text that is expensive to parse', () => {
  const refusal = (text: string): string => {
    try {
      parseYaml(text)
    } catch (error) {
      return error instanceof JsonSyntaxError ? error.message : String(error)
    }
    return 'read'
  }

  it.each([
    ['lists in brackets', '['.repeat(200_000), ''],
    ['maps in brackets', `a:\n  b: ${'{a: '.repeat(20_000)}`, 'line 2: '],
    ['lists on one line', `a: b\nc:\n  ${'- '.repeat(20_000)}x`, 'line 3: '],
    ['keys on one line', `a:\n ${'? '.repeat(20_000)}`, 'line 2: '],
  ])('is refused when it is nested too deeply: %s', (_, text, line) => {
    expect(refusal(text)).toBe(`yaml: ${line}exceeded max depth of 10000`)
  })

  it('may contain any number of brackets in strings and next to each other', () => {
    const brackets = '['.repeat(20_000)
    expect(parseYaml(`a: "${brackets}"\nb: |\n  ${brackets}\n`).value).toEqual({
      a: brackets,
      b: `${brackets}\n`,
    })
    expect(refusal(`[${'[],'.repeat(20_000)}]`)).toBe('read')
    expect(refusal(`{${'?,'.repeat(20_000)}}`)).not.toContain('depth')
    expect(refusal('- - a\n'.repeat(5_000))).toBe('read')
  })

  it.each([
    ['list items', '- name: a\n  value: b\n'],
    ['documents', '---\n'],
    ['comments', '#\n'],
    ['empty lines', '\n'],
    ['mistakes', 'a: b: c\n'],
  ])('is refused when it has far more tokens than any manifest: %s', (_, part) => {
    expect(refusal(part.repeat(1_000_000))).toContain('more than 200000 tokens')
  })

  it('may have many aliases and duplicate keys', () => {
    expect(refusal(`- &a 1\n${'- *a\n'.repeat(10_000)}`)).toBe('read')
    const { duplicateFields } = parseYaml('a: 1\n'.repeat(20_000))
    expect(duplicateFields[0]?.split('\n').at(-1)).toBe('  line 20000: key "a" already set in map')
  })

  it('finds the last anchor before an alias, even when the name is reused', () => {
    const { value } = parseYaml('a: &x 1\nb: *x\nc: &x {d: &y 2}\ne: *x\nf: [*y, *x]\n')
    expect(value).toEqual({ a: 1, b: 1, c: { d: 2 }, e: { d: 2 }, f: [2, { d: 2 }] })
  })
})
