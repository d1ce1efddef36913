import * as z from 'zod'
import { defineResource } from 'setpoint'

// minute, hour, day of month, month, day of week; the server gives the exact reason for a bad one.
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
    retries: z.int32().min(0).default(3).describe('How often a pod that failed is tried again.'),
    suspend: z.boolean().default(false).describe('Begin no further runs.'),
  }),
  status: z.object({
    active: z.int32().optional().describe('How many runs are under way.'),
    lastScheduleTime: z.iso.datetime().optional(),
    lastSuccessfulTime: z.iso.datetime().optional(),
  }),
  conditions: ['Ready'],
  columns: {
    Schedule: '.spec.cronSpec',
    Active: '.status.active',
    Last: { jsonPath: '.status.lastScheduleTime', type: 'date' },
    Ready: '.status.conditions[?(@.type=="Ready")].status',
  },
})
