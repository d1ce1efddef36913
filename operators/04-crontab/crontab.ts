import * as z from 'zod'
import { defineResource } from 'setpoint'

// Minute, hour, day of month, month, day of week. The API server validates each field.
const fiveFields = /^(\S+\s+){4}\S+$/

/** A command that runs on a schedule: the resource of a tutorial with a raw watch loop. */
export const CronTab = defineResource({
  group: 'stable.example.com',
  version: 'v1',
  kind: 'CronTab',
  shortNames: ['ct'],
  spec: z.object({
    cronSpec: z.string().regex(fiveFields).describe('When to run, as five cron fields.'),
    image: z.string().min(1).describe('The container image to run.'),
    replicas: z.int32().min(1).default(1).describe('The number of pods of a run.'),
    retries: z.int32().min(0).default(3).describe('How often a failed pod is retried.'),
    suspend: z.boolean().default(false).describe('Whether new runs are suspended.'),
  }),
  status: z.object({
    active: z.int32().optional().describe('The number of active runs.'),
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
