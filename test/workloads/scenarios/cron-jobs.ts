import type { JsonObject } from 'setpoint/schema'
import { job } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['CronJob', 'Job']
const cron = 'CronJob/tick'

/** A schedule for every first of January: with a last run in 2025 a job is due immediately. */
const yearly = '0 0 1 1 *'
const overdue = { lastScheduleTime: '2025-12-31T00:00:00Z' }

const manifest = (spec: JsonObject, jobSpec: JsonObject = {}): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'tick' },
  spec: {
    schedule: yearly,
    jobTemplate: {
      metadata: { labels: { from: 'tick' }, annotations: { note: 'made' } },
      spec: { ...(job('tick')['spec'] as JsonObject), ...jobSpec },
    },
    ...spec,
  },
})
const create = (spec: JsonObject = {}, jobSpec: JsonObject = {}): Step => ({
  create: manifest(spec, jobSpec),
})
const due: Step = { patch: cron, subresource: 'status', with: { status: overdue } }
/**
 * The second of January becomes due after the first was started. The controller notices it with the
 * next change.
 */
const dueAgain: Step = {
  together: [
    { patch: cron, with: { spec: { schedule: '0 0 2 1 *' } } },
    { patch: cron, with: { metadata: { annotations: { noticed: 'yes' } } } },
  ],
}
const pods = { of: 'app=tick' }

/** CronJobs: when a job is due, and what happens to earlier jobs. */
export const cronJobScenarios: readonly Scenario[] = [
  {
    name: 'creates a job every minute',
    kinds: [...kinds, 'Pod'],
    steps: [
      create({ schedule: '* * * * *' }),
      { until: cron, path: 'status.lastScheduleTime', withinSeconds: 75 },
      { read: 'scheduled' },
      { pods, to: 'succeeded' },
      { read: 'complete' },
    ],
  },
  {
    name: 'creates a missed job immediately',
    kinds,
    steps: [
      create(),
      { read: 'created' },
      due,
      { read: 'made' },
      { pods, to: 'succeeded' },
      { read: 'complete' },
    ],
  },
  {
    name: 'creates no job while suspended',
    kinds,
    steps: [
      create({ suspend: true }),
      due,
      { read: 'suspended' },
      { patch: cron, with: { spec: { suspend: false } } },
      { read: 'resumed' },
    ],
  },
  {
    name: 'creates no job after the starting deadline',
    kinds,
    steps: [create({ startingDeadlineSeconds: 15 }), due, { read: 'too late' }],
  },
  {
    name: 'reports too many missed times and creates the latest job',
    kinds: ['CronJob'],
    steps: [
      create({ schedule: '0 0 * * *', suspend: true }),
      due,
      { patch: cron, with: { spec: { suspend: false } } },
      { read: 'made' },
    ],
  },
  {
    name: 'allows concurrent jobs by default',
    kinds,
    steps: [create(), due, dueAgain, { read: 'two jobs' }],
  },
  {
    name: 'Forbid skips a job while another runs',
    kinds,
    steps: [create({ concurrencyPolicy: 'Forbid' }), due, dueAgain, { read: 'one job' }],
  },
  {
    name: 'Replace deletes the running job',
    kinds,
    steps: [create({ concurrencyPolicy: 'Replace' }), due, dueAgain, { read: 'another job' }],
  },
  {
    name: 'deletes jobs above the history limits',
    kinds,
    steps: [
      create({ successfulJobsHistoryLimit: 1 }),
      due,
      { pods, to: 'succeeded' },
      dueAgain,
      { pods: { ...pods, which: 'pending' }, to: 'succeeded' },
      { read: 'one is left' },
    ],
  },
  {
    name: 'counts failed jobs against their own limit',
    kinds,
    steps: [
      create({ failedJobsHistoryLimit: 0 }, { backoffLimit: 0 }),
      due,
      { pods, to: 'failed' },
      { read: 'nothing is left' },
    ],
  },
  {
    name: 'removes a deleted job from the active list',
    kinds,
    steps: [create(), due, { remove: { kind: 'Job', of: 'from=tick' } }, { read: 'deleted' }],
  },
  {
    name: 'respects the time zone',
    kinds,
    steps: [create({ timeZone: 'Europe/Berlin' }), due, { read: 'made' }],
  },
  {
    name: 'refuses invalid schedules and time zones',
    kinds,
    steps: [
      {
        answer: 'time zone',
        method: 'POST',
        target: 'CronJob',
        body: manifest({ timeZone: 'Moon/Crater' }),
      },
      {
        answer: 'schedule',
        method: 'POST',
        target: 'CronJob',
        body: manifest({ schedule: 'every day' }),
      },
    ],
  },
  {
    name: 'deleting a cron job deletes its jobs',
    kinds: [...kinds, 'Pod'],
    steps: [
      create(),
      due,
      { remove: cron, propagation: 'Background' },
      { until: cron, is: 'absent' },
      { passSeconds: 2 },
      { read: 'deleted' },
    ],
  },
]
