import { expect, test } from 'vitest'
import type { JobSpec } from 'setpoint/kinds'
import type { PodObject } from '../pods/pod-state.ts'
import type { JobStatus } from './job-status.ts'
import { tallyOf } from './job-tally.ts'
import { outcomeOf } from './job-completion.ts'
import { aJob, aPod } from './testdata/job-objects.ts'

const failed = (uid: string, index = 0, failures = 0) =>
  aPod(uid, { phase: 'Failed', exitCode: 1, index, failures })
const succeeded = (uid: string, index = 0) => aPod(uid, { phase: 'Succeeded', index })
const interimCondition = (type: string): JobStatus => ({
  conditions: [{ type, status: 'True', reason: 'Because', message: 'so' }],
})
const indexed = { completionMode: 'Indexed' as const, completions: 3, parallelism: 3 }

interface Row {
  readonly when: string
  readonly spec?: Partial<JobSpec>
  readonly status?: JobStatus
  readonly pods?: readonly PodObject[]
  readonly runsMs?: number
  readonly reason?: string
}

const rows: readonly Row[] = [
  { when: 'no pod has finished' },
  { when: 'a pod has succeeded', pods: [succeeded('a')] },
  {
    when: 'the failures equal the backoff limit',
    spec: { backoffLimit: 1 },
    pods: [failed('a')],
  },
  {
    when: 'the failures exceed the backoff limit',
    spec: { backoffLimit: 1 },
    pods: [failed('a'), failed('b')],
    reason: 'BackoffLimitExceeded',
  },
  {
    when: 'the counted failures exceed the backoff limit',
    spec: { backoffLimit: 1 },
    status: { failed: 1, uncountedTerminatedPods: { failed: ['x'] } },
    reason: 'BackoffLimitExceeded',
  },
  {
    when: 'container restarts reach the backoff limit',
    spec: {
      backoffLimit: 2,
      template: { spec: { restartPolicy: 'OnFailure', containers: [] } },
    },
    pods: [aPod('a', { phase: 'Running', restarts: 2 })],
    reason: 'BackoffLimitExceeded',
  },
  { when: 'its active deadline is not over', spec: { activeDeadlineSeconds: 10 }, runsMs: 9_999 },
  {
    when: 'its active deadline is over',
    spec: { activeDeadlineSeconds: 10 },
    runsMs: 10_000,
    reason: 'DeadlineExceeded',
  },
  {
    when: 'it is suspended, which stops the deadline',
    spec: { activeDeadlineSeconds: 10, suspend: true },
    runsMs: 10_000,
  },
  {
    when: 'it already has the interim success condition, although a pod failed since',
    spec: { backoffLimit: 0 },
    status: interimCondition('SuccessCriteriaMet'),
    pods: [failed('a')],
    reason: 'Because',
  },
  {
    when: 'it already has the interim failure condition',
    status: interimCondition('FailureTarget'),
    reason: 'Because',
  },
  {
    when: 'an index has failed and others may still succeed',
    spec: { ...indexed, backoffLimitPerIndex: 0 },
    pods: [failed('a')],
  },
  {
    when: 'an index has failed and all others are done',
    spec: { ...indexed, backoffLimitPerIndex: 0 },
    status: { completedIndexes: '1,2' },
    pods: [failed('a')],
    reason: 'FailedIndexes',
  },
  {
    when: 'too many indexes have failed',
    spec: { ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 1 },
    pods: [failed('a'), failed('b', 1)],
    reason: 'MaxFailedIndexesExceeded',
  },
  {
    when: 'an index has retries left',
    spec: { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 0 },
    pods: [failed('a', 0, 0)],
  },
  {
    when: 'its success policy is met',
    spec: { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
    pods: [succeeded('a', 2)],
    reason: 'SuccessPolicy',
  },
]

test.each(rows)(
  'judges a Job when $when: $reason',
  ({ spec, status, pods = [], runsMs = 0, reason }) => {
    const job = aJob(spec, status)
    const tally = tallyOf(job, pods)
    expect(outcomeOf({ job, pods, tally, startMs: 0, nowMs: runsMs })?.reason).toBe(reason)
  },
)
