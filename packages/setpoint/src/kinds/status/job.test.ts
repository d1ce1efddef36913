import { expect, test } from 'vitest'
import { Job } from './job.ts'
import type { Observed } from './observed.ts'

// Jobs as a real API server stored them, reduced to the relevant fields.
const jobs: { name: string; words: string; job: Observed<Job> }[] = [
  {
    name: 'complete',
    words: 'complete: 1 of 1 completion',
    job: {
      spec: { completions: 1, suspend: false },
      status: {
        completionTime: '2025-12-31T23:46:40Z',
        conditions: [
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:46:40Z',
            status: 'True',
            type: 'SuccessCriteriaMet',
          },
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:46:40Z',
            status: 'True',
            type: 'Complete',
          },
        ],
        startTime: '2025-12-31T23:45:00Z',
        succeeded: 1,
      },
    },
  },
  {
    name: 'failed',
    words: 'failed: BackoffLimitExceeded: m',
    job: {
      spec: { completions: 1, suspend: false },
      status: {
        conditions: [
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:50:00Z',
            message: 'm',
            reason: 'BackoffLimitExceeded',
            status: 'True',
            type: 'FailureTarget',
          },
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:50:00Z',
            message: 'm',
            reason: 'BackoffLimitExceeded',
            status: 'True',
            type: 'Failed',
          },
        ],
        failed: 7,
        startTime: '2025-12-31T21:30:00Z',
      },
    },
  },
  {
    name: 'failure-target',
    words: 'failing: PodFailurePolicy: m',
    job: {
      spec: { completions: 1, suspend: false },
      status: {
        conditions: [
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:59:00Z',
            message: 'm',
            reason: 'PodFailurePolicy',
            status: 'True',
            type: 'FailureTarget',
          },
        ],
        failed: 1,
        startTime: '2025-12-31T23:55:00Z',
        terminating: 1,
      },
    },
  },
  {
    name: 'indexed',
    words: '2 of 5 completions, 3 pods active',
    job: {
      spec: { completions: 5, suspend: false },
      status: {
        active: 3,
        completedIndexes: '0,1',
        startTime: '2025-12-30T23:58:20Z',
        succeeded: 2,
      },
    },
  },
  {
    name: 'not-started',
    words: 'waiting to be started',
    job: { spec: { completions: 1, suspend: false }, status: {} },
  },
  {
    name: 'running',
    words: '1 of 3 completions, 2 pods active',
    job: {
      spec: { completions: 3, suspend: false },
      status: { active: 2, startTime: '2025-12-31T23:54:30Z', succeeded: 1 },
    },
  },
  {
    name: 'success-criteria',
    words: 'succeeded, waiting for the remaining pods to end',
    job: {
      spec: { completions: 1, suspend: false },
      status: {
        conditions: [
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:59:00Z',
            status: 'True',
            type: 'SuccessCriteriaMet',
          },
        ],
        startTime: '2025-12-31T23:55:00Z',
      },
    },
  },
  {
    name: 'suspended',
    words: 'suspended: 0 of 1 completion',
    job: {
      spec: { completions: 1, suspend: true },
      status: {
        conditions: [
          {
            lastProbeTime: null,
            lastTransitionTime: '2025-12-31T23:59:00Z',
            status: 'True',
            type: 'Suspended',
          },
        ],
      },
    },
  },
  {
    name: 'terminating',
    words: 'being deleted',
    job: {
      metadata: { deletionTimestamp: '2025-12-31T23:59:30Z' },
      spec: { completions: 1, suspend: false },
      status: { active: 1, startTime: '2025-12-31T23:55:00Z' },
    },
  },
  {
    name: 'workqueue',
    words: '1 pod succeeded, 3 pods active',
    job: {
      spec: { suspend: false },
      status: { active: 3, startTime: '2025-12-31T23:59:15Z', succeeded: 1 },
    },
  },
  {
    name: 'workqueue-1',
    words: '0 pods succeeded, 1 pod active',
    job: { spec: { suspend: false }, status: { active: 1, startTime: '2025-12-31T23:59:15Z' } },
  },
]

test.each(jobs)('reports the progress of the job "$name": $words', ({ job, words }) => {
  expect(Job.progress(job)).toBe(words)
})

test('is complete or failed only by the condition of that name', () => {
  const names = (check: (job: Observed<Job>) => boolean) =>
    jobs.filter(({ job }) => check(job)).map(({ name }) => name)
  expect(names(Job.isComplete)).toEqual(['complete'])
  expect(names(Job.isFailed)).toEqual(['failed'])
})

test('stays complete while it is terminating', () => {
  const complete = jobs.find(({ name }) => name === 'complete')?.job
  const deleted = { ...complete, metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' } }
  expect(Job.isComplete(deleted)).toBe(true)
  expect(Job.progress(deleted)).toBe('complete: 1 of 1 completion')
})

test('has neither succeeded nor failed before it exists', () => {
  expect(Job.isComplete(undefined)).toBe(false)
  expect(Job.isFailed(undefined)).toBe(false)
  expect(Job.progress(undefined)).toBe('not created yet')
})
