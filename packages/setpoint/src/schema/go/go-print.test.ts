import { expect, test } from 'vitest'
import { byteLength, compareText, goFloat, goJson, goNumber, goQuote } from './go-print.ts'

test('prints numbers as Go prints int64 and float64', () => {
  expect([0, -1, 10_000_000, 2 ** 53, -(2 ** 63)].map(goNumber)).toEqual([
    '0',
    '-1',
    '10000000',
    '9007199254740992',
    '-9223372036854775808',
  ])
  expect([1.5, 1_234_567.5, 0.0001, 0.00001, 1e-7, 1e21, -2.5e-9].map(goNumber)).toEqual([
    '1.5',
    '1.2345675e+06',
    '0.0001',
    '1e-05',
    '1e-07',
    '1e+21',
    '-2.5e-09',
  ])
  expect([100_000, 1_000_000, 123_456_789].map(goFloat)).toEqual([
    '100000',
    '1e+06',
    '1.23456789e+08',
  ])
})

test('quotes strings as Go does', () => {
  expect(goQuote('a"\\\n\u0007é\u00a0\u200b\u{e0001}😀\u007f')).toBe(
    '"a\\"\\\\\\n\\aé\\u00a0\\u200b\\U000e0001😀\\x7f"',
  )
  expect(goQuote('\ud800')).toBe('"\ufffd"')
})

test('prints JSON with sorted keys and escaped HTML characters', () => {
  expect(goJson({ b: 1, a: ['<&>', '\u2028'] })).toBe(
    '{"a":["\\u003c\\u0026\\u003e","\\u2028"],"b":1}',
  )
})

test('orders and measures strings by their bytes', () => {
  expect(['\u{1f600}', '\uffee', 'b', 'a', 'ab', ''].sort(compareText)).toEqual([
    '',
    'a',
    'ab',
    'b',
    '\uffee',
    '\u{1f600}',
  ])
  expect(['a', 'é', '\uffee', '😀'].map(byteLength)).toEqual([1, 2, 3, 4])
})
