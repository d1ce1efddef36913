import { expect, test } from 'vitest'
import { WarningList } from './warnings.ts'

function headersOf(texts: readonly string[]): string[] {
  const list = new WarningList()
  list.addAll(texts)
  return list.headers()
}

test('every warning is a header of its own, in order and without duplicates', () => {
  expect(headersOf(['b', 'a', '', 'b'])).toEqual(['299 - "b"', '299 - "a"'])
})

test('warnings that are too long together are cut, and end at the limit', () => {
  const long = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(1_000)}`)
  const headers = headersOf(long)
  expect(headers).toHaveLength(16)
  expect(headers.every((header) => header.length === 256 + '299 - ""'.length)).toBe(true)
})

test('many short warnings end at the limit', () => {
  const headers = headersOf(Array.from({ length: 10_000 }, (_, index) => `warning ${index}`))
  expect(headers.join('').length).toBeLessThan(8_192)
})
