import { expect, test } from 'vitest'
import { countingOf } from './counting.ts'
import { countReleased } from './job-status.ts'
import { tallyOf } from './job-tally.ts'
import { completionsReached, type JobOutcome } from './job-outcome.ts'
import { aJob, aPod } from './testdata/job-objects.ts'

const failure: JobOutcome = { type: 'Failed', reason: 'Because', message: 'so' }
const pods = [
  aPod('done', { phase: 'Succeeded' }),
  aPod('failed', { phase: 'Failed' }),
  aPod('counted', { phase: 'Failed', isTracked: false }),
  aPod('working'),
]

test.each([
  [
    'keeps running: counts finished pods',
    undefined,
    ['done', 'failed'],
    { succeeded: ['done'], failed: ['failed'] },
  ],
  [
    'fails: counts active pods as failed',
    failure,
    ['done', 'failed', 'working'],
    { succeeded: ['done'], failed: ['failed', 'working'] },
  ],
  [
    'succeeds: releases active pods without counting them',
    completionsReached,
    ['done', 'failed', 'working'],
    { succeeded: ['done'], failed: ['failed'] },
  ],
])('a Job that %s', (...row) => {
  const [, outcome, released, uncounted] = row
  const job = aJob()
  const counting = countingOf({ job, pods, tally: tallyOf(job, pods), outcome })
  expect(counting.release.map(({ metadata }) => metadata.name)).toEqual(released)
  expect(counting.uncounted).toEqual(uncounted)
})

test('does not list an uncounted pod twice', () => {
  const job = aJob({}, { uncountedTerminatedPods: { succeeded: ['done'] } })
  const { uncounted } = countingOf({ job, pods, tally: tallyOf(job, pods), outcome: undefined })
  expect(uncounted).toEqual({ succeeded: ['done'], failed: ['failed'] })
})

test('releases a failed pod that the policy ignores without counting it', () => {
  const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }]
  const job = aJob({ podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions }] } })
  const pod = aPod('evicted', { phase: 'Failed' })
  const conditions = [{ type: 'DisruptionTarget', status: 'True' }]
  const evicted = { ...pod, status: { ...pod.status, conditions } }
  const tally = tallyOf(job, [evicted])
  const counting = countingOf({ job, pods: [evicted], tally, outcome: undefined })
  expect(counting).toEqual({
    release: [evicted],
    uncounted: { succeeded: [], failed: [] },
    isCutShort: false,
  })
  expect(tally.failed).toBe(0)
})

test('counts at most 500 pods in one reconcile', () => {
  const many = Array.from({ length: 600 }, (_, at) => aPod(`p${at}`, { phase: 'Failed' }))
  const job = aJob()
  const counting = countingOf({ job, pods: many, tally: tallyOf(job, many), outcome: undefined })
  expect(counting.release).toHaveLength(500)
  expect(counting.isCutShort).toBe(true)
})

test('moves pods without the finalizer from the uncounted list into the counts', () => {
  const noted = {
    succeeded: 2,
    uncountedTerminatedPods: { succeeded: ['a', 'b'], failed: ['c'] },
  }
  expect(countReleased(noted, (uid) => uid === 'b')).toEqual({
    succeeded: 3,
    failed: 1,
    uncountedTerminatedPods: { succeeded: ['b'] },
  })
})
