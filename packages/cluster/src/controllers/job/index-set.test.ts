import { expect, test } from 'vitest'
import { IndexSet } from './index-set.ts'

test.each([
  ['', '', 0],
  ['3', '3', 1],
  ['0,1', '0,1', 2],
  ['0,1,2', '0-2', 3],
  ['0-2,3', '0-3', 4],
  ['1,3-5,7', '1,3-5,7', 5],
  ['0-20', '0-9', 10],
  ['4,12', '4', 1],
  ['a,2', '2', 1],
])('with ten completions, parses %j as %j', (text, kept, size) => {
  const set = IndexSet.parse(text, 10)
  expect(String(set)).toBe(kept)
  expect(set.size).toBe(size)
})

test.each([
  [[], [], ''],
  [[0, 2], [1], '0-2'],
  [[5], [0, 1], '0,1,5'],
  [[1, 2, 3], [2, 3, 4], '1-4'],
])('joins %j and %j to %j', (one, other, both) => {
  expect(String(IndexSet.of(one).union(IndexSet.of(other)))).toBe(both)
})

test('contains the indexes of its intervals', () => {
  const set = IndexSet.parse('0,3-5', 10)
  expect([0, 1, 2, 3, 4, 5, 6].filter((index) => set.has(index))).toEqual([0, 3, 4, 5])
})

test.each([
  ['', 2, 5, [0, 1]],
  ['0-2', 3, 5, [3, 4]],
  ['0,2,4', 3, 6, [1, 3, 5]],
  ['1-3', 0, 6, []],
  ['0-5', 3, 6, []],
  ['0-5', 3, 3, []],
])('in the set %j, finds the first %i missing indexes below %i: %j', (...row) => {
  const [text, count, below, missing] = row
  expect(IndexSet.parse(text, 100).firstMissing(count, below)).toEqual(missing)
})

test.each([
  ['0-3', '2-5', 2],
  ['0,2,4', '0-9', 3],
  ['0-1', '5', 0],
])('counts the indexes in both %j and %j: %i', (one, other, shared) => {
  expect(IndexSet.parse(one, 100).overlap(IndexSet.parse(other, 100))).toBe(shared)
})
