import { expect, test } from 'vitest'
import { exponentialBackoff, jittered } from './exponential-backoff.ts'

test('doubles the delay with each failure up to the maximum', () => {
  const range = { firstMs: 100, maxMs: 1_000 }
  const delays = [1, 2, 3, 4, 5, 6].map((failures) => exponentialBackoff(failures, range))
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test('stays finite after thousands of failures', () => {
  expect(exponentialBackoff(5_000, { firstMs: 1, maxMs: Infinity })).toBe(2 ** 40)
})

test('multiplies a delay by a factor between least and least + spread', () => {
  const factors = [0, 0.5, 0.75].map((value) =>
    jittered(100, { least: 1, spread: 2 }, { random: () => value }),
  )
  expect(factors).toEqual([100, 200, 250])
})
