import { expect, test } from 'vitest'
import { transitionTime, upsertCondition } from './upsert-condition.ts'

const ready = { type: 'Ready', status: 'True' }
const other = { type: 'Other', status: 'True' }

test('appends a condition of a new type', () => {
  expect(upsertCondition([ready], other)).toEqual([ready, other])
})

test('replaces a condition of the same type in place', () => {
  const unready = { type: 'Ready', status: 'False' }
  expect(upsertCondition([ready, other], unready)).toEqual([unready, other])
})

test.each([
  ['keeps the time while the status is unchanged', 'True', 'then', 'then'],
  ['sets the time when the status changes', 'False', 'then', 'now'],
  ['sets a missing time', 'True', null, 'now'],
])('%s', (...[, status, lastTransitionTime, expected]) => {
  expect(transitionTime({ status: 'True', lastTransitionTime }, status, 'now')).toBe(expected)
})

test('sets the time of a new condition', () => {
  expect(transitionTime(undefined, 'True', 'now')).toBe('now')
})
