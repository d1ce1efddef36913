import * as z from 'zod'
import { defineResource } from 'setpoint'

// minute, hour, day of month, month, day of week; the operator gives the exact reason for a bad one.
const fiveFields = /^(\S+\s+){4}\S+$/

/** A command to run on a schedule: the resource of the walk-through with a raw watch loop. */
export const CronTab = defineResource({
  group: 'stable.example.com',
  version: 'v1',
  kind: 'CronTab',
  shortNames: ['ct'],
  spec: z.object({
    cronSpec: z.string().regex(fiveFields).describe('When to run, as five cron fields.'),
    image: z.string().min(1).describe('The container image to run.'),
    replicas: z.int32().min(1).default(1).describe('How many pods run at once.'),
  }),
  status: z.object({ lastScheduleTime: z.iso.datetime().optional() }),
  columns: { Schedule: '.spec.cronSpec', Last: '.status.lastScheduleTime' },
})
