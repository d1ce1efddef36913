import type { JsonObject } from 'setpoint/schema'
import { job } from '../manifests.ts'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['CronJob', 'Job']
const cron = 'CronJob/tick'

/** Of every first of January: one that ran last in 2025 is due at once. */
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
/** The second of January is due after the first was taken; it is noticed when something else changes. */
const dueAgain: Step = {
  together: [
    { patch: cron, with: { spec: { schedule: '0 0 2 1 *' } } },
    { patch: cron, with: { metadata: { annotations: { noticed: 'yes' } } } },
  ],
}
const pods = { of: 'app=tick' }

/** Cron jobs: when a job is due, and what becomes of those before. */
export const cronJobScenarios: readonly Scenario[] = [
  {
    name: 'a job is made every minute',
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
    name: 'a job that was missed is made at once',
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
    name: 'a suspended cron job makes nothing',
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
    name: 'a job that is too late is not made',
    kinds,
    steps: [create({ startingDeadlineSeconds: 15 }), due, { read: 'too late' }],
  },
  {
    name: 'too many missed times are told, and the latest is made',
    kinds: ['CronJob'],
    steps: [
      create({ schedule: '0 0 * * *', suspend: true }),
      due,
      { patch: cron, with: { spec: { suspend: false } } },
      { read: 'made' },
    ],
  },
  {
    name: 'jobs may run at the same time by default',
    kinds,
    steps: [create(), due, dueAgain, { read: 'two jobs' }],
  },
  {
    name: 'Forbid leaves a job out while another runs',
    kinds,
    steps: [create({ concurrencyPolicy: 'Forbid' }), due, dueAgain, { read: 'one job' }],
  },
  {
    name: 'Replace ends the job that runs',
    kinds,
    steps: [create({ concurrencyPolicy: 'Replace' }), due, dueAgain, { read: 'another job' }],
  },
  {
    name: 'jobs beyond the history limits are deleted',
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
    name: 'a failed job counts for its own limit',
    kinds,
    steps: [
      create({ failedJobsHistoryLimit: 0 }, { backoffLimit: 0 }),
      due,
      { pods, to: 'failed' },
      { read: 'nothing is left' },
    ],
  },
  {
    name: 'a job that somebody deleted is forgotten',
    kinds,
    steps: [create(), due, { remove: { kind: 'Job', of: 'from=tick' } }, { read: 'deleted' }],
  },
  {
    name: 'a time zone is kept in mind',
    kinds,
    steps: [create({ timeZone: 'Europe/Berlin' }), due, { read: 'made' }],
  },
  {
    name: 'schedules and time zones that nobody understands are refused',
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
    name: 'deleting a cron job takes its jobs along',
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
