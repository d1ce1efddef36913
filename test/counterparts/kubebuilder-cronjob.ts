/** The counterpart of the webhooks in kubebuilder's CronJob tutorial. */
import * as z from 'zod'
import { cronSchedule, defineResource, isSetpointError, operator, problem } from 'setpoint'

export const CronJob = defineResource({
  group: 'batch.example.com',
  version: 'v1',
  kind: 'CronJob',
  spec: z.object({
    schedule: z.string(),
    startingDeadlineSeconds: z.int().min(0).optional(),
    concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']).default('Allow'),
    suspend: z.boolean().default(false),
    jobTemplate: z.looseObject({}),
    successfulJobsHistoryLimit: z.int32().min(0).default(3),
    failedJobsHistoryLimit: z.int32().min(0).default(1),
  }),
  status: z.object({
    active: z.array(z.looseObject({})).max(10).optional(),
    lastScheduleTime: z.iso.datetime().optional(),
  }),
  conditions: ['Available', 'Progressing', 'Degraded'],
})

/** A Job has a name of at most 63 characters, and its time has 11 of them. */
const nameLengthMax = 52

export const cronJobs = operator(CronJob).validate(({ metadata: { name }, spec }) => [
  ...(name.length > nameLengthMax ? [problem('metadata.name', 'at most 52 characters')] : []),
  ...scheduleProblems(spec.schedule),
])

function scheduleProblems(schedule: string) {
  try {
    cronSchedule(schedule)
    return []
  } catch (error) {
    if (!isSetpointError(error)) throw error
    return [problem('spec.schedule', error.message)]
  }
}
