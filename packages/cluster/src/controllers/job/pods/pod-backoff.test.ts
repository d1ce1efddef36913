import { expect, test } from 'vitest'
import { finishTimeOf } from '../finish-time.ts'
import { noFailures, recordAfter, waitMsAfter, waitMsInIndex } from './pod-backoff.ts'
import { aPod } from '../testdata/job-objects.ts'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const ms = (second: number): number => Date.parse(at(second))
const ended = (second: number) => aPod(`p${second}`, { finishedAt: at(second) })

test.each([
  ['nothing', noFailures, [], [], noFailures],
  ['a failure', noFailures, [], [5], { failuresAfterLastSuccess: 1, lastFailureMs: ms(5) }],
  [
    'two more failures',
    { failuresAfterLastSuccess: 1, lastFailureMs: ms(1) },
    [],
    [7, 5],
    { failuresAfterLastSuccess: 3, lastFailureMs: ms(7) },
  ],
  ['a success', { failuresAfterLastSuccess: 4, lastFailureMs: ms(1) }, [9], [], noFailures],
  [
    'a success between two failures',
    { failuresAfterLastSuccess: 4, lastFailureMs: ms(1) },
    [6],
    [5, 7],
    { failuresAfterLastSuccess: 1, lastFailureMs: ms(7) },
  ],
  ['a success with the last failure', noFailures, [6], [6], noFailures],
])('after %s', (...row) => {
  const [, before, succeeded, failed, after] = row
  const pods = { succeeded: succeeded.map(ended), failed: failed.map(ended) }
  expect(recordAfter(before, pods)).toEqual(after)
})

test.each([
  [0, 0],
  [1, 10],
  [2, 20],
  [3, 40],
  [6, 320],
  [7, 600],
  [1000, 600],
])('after %i failures, waits %i seconds', (failures, seconds) => {
  const record = { failuresAfterLastSuccess: failures, lastFailureMs: ms(0) }
  expect(waitMsAfter(record, ms(0))).toBe(seconds * 1000)
  expect(waitMsAfter(record, ms(seconds))).toBe(0)
})

test('backs off for every index separately', () => {
  expect(waitMsInIndex(undefined, ms(0))).toBe(0)
  expect(waitMsInIndex(aPod('p', { failures: 0, finishedAt: at(0) }), ms(4))).toBe(6_000)
  expect(waitMsInIndex(aPod('p', { failures: 2, finishedAt: at(0) }), ms(4))).toBe(36_000)
})

test('uses the deletion time, or else the creation time, for a pod without finish times', () => {
  expect(finishTimeOf(aPod('p', { isDeleted: true, createdAt: at(3) }))).toBe(ms(0))
  expect(finishTimeOf(aPod('p', { createdAt: at(3) }))).toBe(ms(3))
})
