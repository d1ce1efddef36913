import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { JsonObject } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { encodeJson, JsonSyntaxError, parseJson, strictProblems, decodeTyped } from '../index.ts'
import { numberText } from './number-text.ts'

function recorded<T>(name: string): T[] {
  return JSON.parse(
    readFileSync(new URL(`../testdata/${name}.json`, import.meta.url), 'utf8'),
  ) as T[]
}

describe('parseJson', () => {
  it.each(recorded<{ text: string; answer: string | null }>('json-syntax'))(
    'parses $text like a real server: $answer',
    ({ text, answer }) => {
      if (answer === null) expect(() => parseJson(text)).not.toThrow()
      else expect(() => parseJson(text)).toThrow(new JsonSyntaxError(answer))
    },
  )

  it('agrees with JSON.parse on any document', () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, isPretty) => {
        const value: unknown = JSON.parse(text)
        const spelled = isPretty ? JSON.stringify(value, null, 2) : text
        // Go reads the integer -0 as 0.
        const expected: unknown = JSON.parse(spelled, (_key, item: unknown) =>
          item === 0 ? 0 : item,
        )
        // Printed, because integers beyond 2^53 are bigint here.
        expect(JSON.parse(encodeJson(parseJson(spelled).value))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps integers beyond 2^53 as bigint, up to int64, and prints them', () => {
    const text = '{"a":9007199254740993,"b":[-9223372036854775808],"c":9007199254740991}'
    const { value } = parseJson(text)
    expect(value).toEqual({ a: 9007199254740993n, b: [-(2n ** 63n)], c: 2 ** 53 - 1 })
    expect(encodeJson(value)).toBe(text)
  })

  it('keeps any int64 when it is parsed and printed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (number) => {
        expect(encodeJson(parseJson(`[${number}]`).value)).toBe(`[${number}]`)
      }),
      { numRuns: 200 },
    )
  })

  it('parses integers beyond int64 as floating point numbers', () => {
    expect(parseJson('18446744073709551616').value).toBe(2 ** 64)
  })

  it('keeps the text of a fraction', () => {
    const { value } = parseJson('{"a":1.0,"b":[1e3]}')
    const object = value as { a: number; b: number[] }
    expect(object).toEqual({ a: 1, b: [1000] })
    expect(numberText(object, 'a', object.a)).toBe('1.0')
    expect(numberText(object.b, 0, object.b[0] ?? 0)).toBe('1e3')
  })

  it('reports duplicate fields in their order, and keeps the last value', () => {
    const parsed = parseJson('{"a":{"b":1,"b":2},"l":[{"c":1,"c":2}],"a":3,"a":4}')
    expect(parsed.duplicateFields).toEqual(['a.b', 'l[0].c', 'a'])
    expect(parsed.value).toEqual({ a: 4, l: [{ c: 2 }] })
  })

  it('makes an own property of __proto__', () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1.5}}']) {
      const { value } = parseJson(text)
      expect(Object.keys(value as JsonObject)).toEqual(['__proto__'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })

  it('replaces lone surrogates like Go', () => {
    expect(parseJson(String.raw`["\ud800x","\ud83d\ude00"]`).value).toEqual(['\ufffdx', '😀'])
  })

  it('accepts 10,000 levels and refuses more', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(encodeJson(parseJson(nested(10_000)).value)).toBe(nested(10_000))
    expect(() => parseJson(nested(10_001))).toThrow('exceeded max depth')
  })
})

describe('encodeJson', () => {
  it('escapes characters for HTML', () => {
    expect(encodeJson({ a: '<b> & \u2028' })).toBe(String.raw`{"a":"\u003cb\u003e \u0026 \u2028"}`)
  })
})

describe('strictProblems', () => {
  it.each(recorded<{ body: string; answer: string }>('strict'))(
    'lists problems in the order of a real server: $answer',
    ({ body, answer }) => {
      const { value, duplicateFields } = parseJson(body)
      const object = value as { apiVersion: string; kind: string }
      const findings = decodeTyped({ ...object, value: object, duplicateFields })
      expect(strictProblems({ jsonText: body, ...findings }).join(', ')).toBe(answer)
    },
  )

  it('puts the message about duplicate YAML keys first', () => {
    const problems = strictProblems({ duplicateFields: ['yaml: ...'], unknownFields: ['a'] })
    expect(problems).toEqual(['yaml: ...', 'unknown field "a"'])
  })
})
