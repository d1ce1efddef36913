import { expect, test } from 'vitest'
import { nextGeneration } from './kube-object.ts'

test.each([
  [undefined, 1],
  [1, 2],
  [2n ** 53n, 2n ** 53n + 1n],
  [Number.MAX_SAFE_INTEGER, 2n ** 53n],
  [2n ** 63n - 1n, -(2n ** 63n)],
])('increments generation %s to %s', (generation, next) => {
  expect(nextGeneration(generation)).toBe(next)
})
