import type { JsonObject } from 'setpoint/schema'
import { job, podTemplate } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['Job', 'Pod']
const work = { of: 'app=work' }
const one = 'Job/work'

const create = (spec: JsonObject = {}): Step => ({ create: job('work', spec) })
const move = (to: 'ready' | 'succeeded' | 'failed', first?: number): Step => ({
  pods: { ...work, which: 'pending', ...(first === undefined ? {} : { first }) },
  to,
})
const index = (number: number, to: 'succeeded' | 'failed', exitCode = 1): Step => ({
  pods: { of: `app=work,batch.kubernetes.io/job-completion-index=${number}`, which: 'pending' },
  to,
  exitCode,
})
const ended = (type: 'Complete' | 'Failed'): Step => ({
  until: one,
  path: `status.conditions.${type}.status`,
  is: 'True',
  withinSeconds: 60,
})
const indexed = (completions: number, spec: JsonObject = {}): Step =>
  create({ completionMode: 'Indexed', completions, parallelism: completions, ...spec })
const policy = (action: string, codes: number[]): JsonObject => ({
  podFailurePolicy: {
    rules: [{ action, onExitCodes: { operator: 'In', values: codes } }],
  },
})
const active = (number: number, withinSeconds = 60): Step => ({
  until: one,
  path: 'status.active',
  is: number,
  withinSeconds,
})

/** Jobs: counting finished pods until the job is complete. */
export const jobScenarios: readonly Scenario[] = [
  {
    name: 'completes a job when its pod has succeeded',
    kinds,
    steps: [
      create(),
      { read: 'created' },
      move('ready'),
      { read: 'running' },
      { pods: work, to: 'succeeded' },
      { read: 'complete' },
    ],
  },
  {
    name: 'runs completions in parallel',
    kinds,
    steps: [
      create({ completions: 3, parallelism: 2 }),
      { read: 'created' },
      move('succeeded', 1),
      { read: 'one done' },
      move('succeeded'),
      { read: 'all done' },
    ],
  },
  {
    name: 'without completions, creates no pods after the first success',
    kinds,
    steps: [
      create({ parallelism: 2 }),
      move('succeeded', 1),
      { read: 'one done' },
      move('succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'creates a pod for each index of an indexed job',
    kinds,
    steps: [
      indexed(3),
      { read: 'created' },
      index(1, 'succeeded'),
      { read: 'one index done' },
      index(0, 'succeeded'),
      index(2, 'succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'starts with the lowest index',
    kinds,
    steps: [indexed(4, { parallelism: 2 }), index(0, 'succeeded'), { read: 'the next index' }],
  },
  {
    name: 'scales an indexed job up and down',
    kinds,
    steps: [
      indexed(2),
      { patch: one, with: { spec: { completions: 3, parallelism: 3 } } },
      { read: 'grown' },
      index(0, 'succeeded'),
      { patch: one, with: { spec: { completions: 1, parallelism: 1 } } },
      { read: 'shrunk' },
    ],
  },
  {
    name: 'fails a job without retries at the first failure',
    kinds,
    steps: [create({ backoffLimit: 0 }), move('failed'), { read: 'failed' }],
  },
  {
    name: 'replaces a failed pod with backoff until the limit is exceeded',
    kinds,
    steps: [
      create({ backoffLimit: 1 }),
      move('failed'),
      { read: 'the first failure' },
      active(1),
      { read: 'the second try' },
      move('failed'),
      { read: 'failed' },
    ],
  },
  {
    name: 'deletes active pods when a job fails',
    kinds,
    steps: [
      create({ backoffLimit: 0, completions: 2, parallelism: 2 }),
      { pods: work, to: 'ready', on: 'node-1' },
      { pods: { ...work, first: 1 }, to: 'failed' },
      { read: 'failing' },
      { pods: { ...work, which: 'terminating' }, to: 'failed' },
      { pods: { ...work, which: 'terminating' }, to: 'gone' },
      { read: 'failed' },
    ],
  },
  {
    name: 'fails a job after its active deadline',
    kinds,
    steps: [
      create({ activeDeadlineSeconds: 6 }),
      move('ready'),
      ended('Failed'),
      { read: 'failed' },
    ],
  },
  {
    name: 'deletes a finished job after its TTL',
    kinds,
    steps: [
      create({ ttlSecondsAfterFinished: 4 }),
      move('succeeded'),
      { read: 'complete' },
      { until: one, is: 'absent' },
      { read: 'deleted' },
    ],
  },
  {
    name: 'suspending a job deletes its pods, resuming creates new ones',
    kinds,
    steps: [
      create({ completions: 2, parallelism: 2 }),
      move('succeeded', 1),
      { patch: one, with: { spec: { suspend: true } } },
      { read: 'suspended' },
      { patch: one, with: { spec: { suspend: false } } },
      { read: 'resumed' },
      move('succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'creates no pods for a job that starts suspended',
    kinds,
    steps: [
      create({ suspend: true }),
      { read: 'suspended' },
      { patch: one, with: { spec: { suspend: false } } },
      { read: 'resumed' },
    ],
  },
  {
    name: 'a pod failure policy fails the job at an exit code',
    kinds,
    steps: [
      create({ backoffLimit: 6, completions: 2, parallelism: 2, ...policy('FailJob', [42]) }),
      { pods: { ...work, first: 1 }, to: 'failed', exitCode: 42 },
      { read: 'failed' },
    ],
  },
  {
    name: 'a pod failure policy ignores disruptions',
    kinds,
    steps: [
      create({
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          ],
        },
      }),
      {
        pods: work,
        to: 'failed',
        condition: { type: 'DisruptionTarget', reason: 'PreemptionByScheduler' },
      },
      { read: 'ignored' },
      active(1),
      { read: 'replaced' },
    ],
  },
  {
    name: 'a pod failure policy counts a failure',
    kinds,
    steps: [
      create({
        backoffLimit: 0,
        podFailurePolicy: {
          rules: [
            { action: 'Count', onExitCodes: { operator: 'In', values: [7] } },
            { action: 'Ignore', onExitCodes: { operator: 'NotIn', values: [0] } },
          ],
        },
      }),
      { pods: work, to: 'failed', exitCode: 7 },
      { read: 'counted' },
    ],
  },
  {
    name: 'a pod failure policy fails an index',
    kinds,
    steps: [
      indexed(2, { backoffLimitPerIndex: 1, ...policy('FailIndex', [3]) }),
      index(0, 'failed', 3),
      { read: 'the index failed' },
      index(1, 'succeeded'),
      { read: 'failed' },
    ],
  },
  {
    name: 'applies the backoff limit per index',
    kinds,
    steps: [
      indexed(2, { backoffLimitPerIndex: 1 }),
      index(0, 'failed'),
      { read: 'the first failure of an index' },
      active(2),
      { read: 'tried again' },
      index(0, 'failed'),
      { read: 'the index failed' },
      index(1, 'succeeded'),
      { read: 'failed' },
    ],
  },
  {
    name: 'fails a job with too many failed indexes',
    kinds,
    steps: [
      indexed(3, { backoffLimitPerIndex: 0, maxFailedIndexes: 1 }),
      index(0, 'failed'),
      { read: 'one failed' },
      index(1, 'failed'),
      { read: 'too many' },
    ],
  },
  {
    name: 'a success policy completes a job by an index',
    kinds,
    steps: [
      indexed(3, { successPolicy: { rules: [{ succeededIndexes: '1' }] } }),
      index(1, 'succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'a success policy completes a job by a count',
    kinds,
    steps: [
      indexed(3, { successPolicy: { rules: [{ succeededCount: 2 }] } }),
      index(1, 'succeeded'),
      { read: 'not yet' },
      index(2, 'succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'respects a manual selector',
    kinds,
    steps: [
      create({ manualSelector: true, selector: { matchLabels: { app: 'work' } } }),
      { read: 'created' },
      move('succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'replaces a terminating pod immediately',
    kinds,
    steps: [
      create(),
      { pods: work, to: 'ready', on: 'node-1' },
      { pods: work, to: 'deleted' },
      active(1),
      { read: 'replaced' },
      { pods: { ...work, which: 'terminating' }, to: 'failed' },
      { pods: { ...work, which: 'terminating' }, to: 'gone' },
      { read: 'gone' },
    ],
  },
  {
    name: 'podReplacementPolicy Failed replaces a terminating pod after it has failed',
    kinds,
    steps: [
      create({ podReplacementPolicy: 'Failed' }),
      { pods: work, to: 'ready', on: 'node-1' },
      { pods: work, to: 'deleted' },
      { read: 'terminating' },
      { pods: work, to: 'failed' },
      active(1),
      { read: 'replaced' },
    ],
  },
  {
    name: 'counts a deleted pod without a node as failed',
    kinds,
    steps: [create({ backoffLimit: 0 }), { pods: work, to: 'deleted' }, { read: 'deleted' }],
  },
  {
    name: 'respects a changed parallelism',
    kinds,
    steps: [
      create({ completions: 4, parallelism: 3 }),
      { patch: one, with: { spec: { parallelism: 1 } } },
      { read: 'less' },
      { patch: one, with: { spec: { parallelism: 2 } } },
      { read: 'more' },
      { patch: one, with: { spec: { parallelism: 0 } } },
      { read: 'none' },
    ],
  },
  {
    name: 'ignores a job that another controller manages',
    kinds,
    steps: [create({ managedBy: 'example.com/other' }), { read: 'created' }],
  },
  {
    name: 'completes a job with zero completions immediately',
    kinds,
    steps: [create({ completions: 0 }), { read: 'complete' }],
  },
  {
    name: 'completes a job with restartPolicy OnFailure',
    kinds,
    steps: [
      create({
        backoffLimit: 0,
        template: podTemplate('work', { spec: { restartPolicy: 'OnFailure' } }),
      }),
      move('succeeded'),
      { read: 'complete' },
    ],
  },
  {
    name: 'background deletion of a job deletes its pods',
    kinds,
    steps: [
      create({ parallelism: 2 }),
      { remove: one, propagation: 'Background' },
      { until: one, is: 'absent' },
      { passSeconds: 2 },
      { read: 'deleted' },
    ],
  },
  {
    name: 'orphan deletion of a job removes owner reference and finalizer of its pods',
    kinds,
    steps: [
      create(),
      { remove: one, propagation: 'Orphan' },
      { until: one, is: 'absent' },
      { passSeconds: 2 },
      { read: 'deleted' },
    ],
  },
  {
    name: 'reports pods that a quota refuses',
    kinds,
    steps: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'none' },
          spec: { hard: { pods: '0' } },
        },
      },
      create(),
      { read: 'refused' },
    ],
  },
]
