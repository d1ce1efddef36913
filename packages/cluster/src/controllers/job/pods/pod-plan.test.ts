import type { JobSpec } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import type { PodObject } from '../../pods/pod-state.ts'
import type { JobStatus } from '../job-status.ts'
import { tallyOf } from '../job-tally.ts'
import { noFailures, type FailureRecord } from './pod-backoff.ts'
import { planPods } from './pod-plan.ts'
import { aJob, aPod } from '../testdata/job-objects.ts'

interface Row {
  readonly when: string
  readonly spec?: Partial<JobSpec>
  readonly status?: JobStatus
  readonly pods?: readonly PodObject[]
  readonly record?: FailureRecord
  readonly create?: readonly (number | undefined)[]
  readonly remove?: readonly string[]
  readonly waitMs?: number
}

const none = undefined
const indexed = { completionMode: 'Indexed' as const, completions: 4, parallelism: 3 }
const running = { phase: 'Running' as const, nodeName: 'n' }

const rows: readonly Row[] = [
  { when: 'it is new', spec: { completions: 1 }, create: [none] },
  { when: 'its pod is active', spec: { completions: 1 }, pods: [aPod('a')] },
  {
    when: 'parallelism exceeds the completions that are left',
    spec: { completions: 3, parallelism: 5 },
    status: { succeeded: 1 },
    create: [none, none],
  },
  {
    when: 'the first pod of a work queue has succeeded',
    spec: { parallelism: 3 },
    status: { succeeded: 1 },
    pods: [aPod('a')],
  },
  { when: 'it is suspended', spec: { suspend: true }, pods: [aPod('a')], remove: ['a'] },
  {
    when: 'there are surplus pods: those with the least progress',
    spec: { parallelism: 1, completions: 9 },
    pods: [aPod('ready', { ...running, isReady: true }), aPod('pending'), aPod('running', running)],
    remove: ['pending', 'running'],
  },
  {
    when: 'there are equal surplus pods: the youngest',
    spec: { parallelism: 1, completions: 9 },
    pods: [aPod('old'), aPod('young', { createdAt: '2026-01-02T00:00:00Z' })],
    remove: ['young'],
  },
  {
    when: 'a pod has just failed',
    spec: { completions: 1 },
    record: { failuresAfterLastSuccess: 1, lastFailureMs: -4_000 },
    waitMs: 6_000,
  },
  {
    when: 'a terminating pod is replaced immediately',
    spec: { completions: 1, podReplacementPolicy: 'TerminatingOrFailed' },
    pods: [aPod('a', { isDeleted: true })],
    create: [none],
  },
  {
    when: 'a terminating pod has to finish first',
    spec: { completions: 1, podReplacementPolicy: 'Failed' },
    pods: [aPod('a', { isDeleted: true })],
  },
  {
    when: 'indexes are missing',
    spec: indexed,
    status: { completedIndexes: '1' },
    pods: [aPod('a', { index: 2 })],
    create: [0, 3],
  },
  {
    when: 'two pods have the same index, and one has none',
    spec: indexed,
    pods: [aPod('a', { index: 0 }), aPod('b', { index: 0, ...running }), aPod('c')],
    remove: ['c', 'a'],
  },
  {
    when: 'one index has just failed, and another has no pod yet',
    spec: { ...indexed, completions: 2, backoffLimitPerIndex: 3 },
    pods: [aPod('a', { phase: 'Failed', index: 0, finishedAt: '1970-01-01T00:00:00Z' })],
    create: [1],
  },
  {
    when: 'its only index has just failed',
    spec: { ...indexed, completions: 1, backoffLimitPerIndex: 3 },
    pods: [aPod('a', { phase: 'Failed', index: 0, finishedAt: '1970-01-01T00:00:00Z' })],
    waitMs: 10_000,
  },
]

test.each(rows)('plans the pods of a Job when $when', (row) => {
  const { spec, status, pods = [], record = noFailures } = row
  const job = aJob(spec, status)
  const plan = planPods({ job, pods, tally: tallyOf(job, pods), record, nowMs: 0 })
  expect({ ...plan, remove: plan.remove.map(({ metadata }) => metadata.name) }).toEqual({
    create: row.create ?? [],
    remove: row.remove ?? [],
    waitMs: row.waitMs ?? 0,
  })
})
