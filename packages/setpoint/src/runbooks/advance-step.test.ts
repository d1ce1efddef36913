import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import type { StepStatus } from '../definition/index.ts'
import { advanceStep, type Observation } from './advance-step.ts'
import type { StepLeaf } from './step-node.ts'

const nowMs = Date.parse('2030-01-01T00:00:10Z')
const now = '2030-01-01T00:00:10Z'
const start = '2030-01-01T00:00:00Z'
const code: StepLeaf = { is: 'code', name: 's', retry: {}, run: async () => undefined }
const wait: StepLeaf = { is: 'wait', name: 's', retry: {}, until: () => true, everyMs: 4000 }
const object = { ...code, is: 'object', kind: {}, desired: () => ({}) } as unknown as StepLeaf
const running = { state: 'Running', attempts: 1, startedAt: start, attemptedAt: start } as const
const idle: Observation = { is: 'idle' }
const failure = (error: unknown): Observation => ({ is: 'failed', error })

test.each<[string, StepLeaf, Omit<StepStatus, 'name'>, Observation, object]>([
  [
    'a pending step begins',
    code,
    { state: 'Pending' },
    idle,
    { status: { ...running, startedAt: now, attemptedAt: now }, begins: true },
  ],
  [
    'a step that is not wanted is skipped',
    code,
    { state: 'Pending' },
    { is: 'unwanted' },
    { status: { state: 'Skipped' }, begins: false },
  ],
  ['code that works is left alone', code, running, { is: 'working' }, { status: running }],
  [
    'a result is kept',
    code,
    running,
    { is: 'done', result: 5 },
    { status: { ...running, state: 'Complete', result: 5, finishedAt: now } },
  ],
  [
    'code that another process ran begins again, which is not a failure',
    code,
    running,
    idle,
    { status: { ...running, attempts: 2, delays: 1, attemptedAt: now }, begins: true },
  ],
  [
    'an object that does not exist is created again in the same attempt',
    object,
    running,
    idle,
    { status: running, begins: true },
  ],
  [
    'a failure is retried after the backoff',
    code,
    running,
    failure(new Error('broken')),
    {
      status: { state: 'Retrying', retryAt: '2030-01-01T00:00:20Z', message: 'broken' },
      waitMs: 10_000,
    },
  ],
  [
    'the fourth failure is the last',
    code,
    { ...running, attempts: 4 },
    failure(new Error('broken')),
    { status: { state: 'Failed', finishedAt: now, message: 'broken' }, waitMs: Infinity },
  ],
  [
    'GiveUpError fails immediately',
    code,
    running,
    failure(new GiveUpError('no')),
    { status: { state: 'Failed', message: 'no' } },
  ],
  [
    'RetryLaterError is not a failure',
    code,
    { ...running, attempts: 9, delays: 8 },
    failure(new RetryLaterError('later', { after: '3s' })),
    { status: { state: 'Retrying', delays: 9 }, waitMs: 3000 },
  ],
  [
    'an attempt that takes too long has failed',
    { ...code, timeoutMs: 10_000 },
    running,
    { is: 'working' },
    { status: { state: 'Retrying', message: 'not done within 10 s' } },
  ],
  [
    'a step with a timeout is checked again in time',
    { ...code, timeoutMs: 15_000 },
    running,
    { is: 'working' },
    { status: running, waitMs: 5000 },
  ],
  [
    'a condition is tested at its interval',
    wait,
    running,
    { is: 'working', message: '1 of 3' },
    { status: { ...running, message: '1 of 3' }, waitMs: 4000 },
  ],
  [
    'a condition that is not true in time fails the step',
    { ...wait, timeoutMs: 10_000 },
    { ...running, attempts: 3, attemptedAt: now },
    { is: 'working' },
    { status: { state: 'Failed', message: 'not done within 10 s' } },
  ],
  [
    'a condition that throws is tried again',
    wait,
    { ...running, attempts: 50 },
    failure(new Error('broken')),
    { status: { state: 'Retrying' } },
  ],
  [
    'a retry waits for its time',
    code,
    { ...running, state: 'Retrying', retryAt: '2030-01-01T00:00:12Z' },
    idle,
    { status: { state: 'Retrying' }, begins: false, waitMs: 2000 },
  ],
  [
    'a retry that is due begins',
    code,
    { ...running, state: 'Retrying', retryAt: now, message: 'broken' },
    idle,
    { status: { state: 'Running', attempts: 2, attemptedAt: now }, begins: true },
  ],
])('%s', (...row) => {
  const [, leaf, status, observed, expected] = row
  const advanced = advanceStep(leaf, { status: { name: 's', ...status }, observed }, nowMs)
  expect(advanced).toMatchObject(expected)
  if (advanced.begins) expect(advanced.status).not.toHaveProperty('retryAt')
})
