/** The counterpart of the conversion in kubebuilder's multiversion tutorial. */
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'

const common = {
  startingDeadlineSeconds: z.int().min(0).optional(),
  concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']).default('Allow'),
  suspend: z.boolean().default(false),
  jobTemplate: z.looseObject({}),
  successfulJobsHistoryLimit: z.int32().min(0).default(3),
  failedJobsHistoryLimit: z.int32().min(0).default(1),
}

const status = z.object({
  active: z.array(z.looseObject({})).max(10).optional(),
  lastScheduleTime: z.iso.datetime().optional(),
})

const part = z.string().optional()

export const VersionedCronJob = defineResource({
  group: 'batch.example.com',
  version: 'v1',
  kind: 'CronJob',
  spec: z.object({ ...common, schedule: z.string() }),
  status,
  conditions: ['Available', 'Progressing', 'Degraded'],
  versions: {
    v2: {
      spec: z.object({
        ...common,
        schedule: z.object({
          minute: part,
          hour: part,
          dayOfMonth: part,
          month: part,
          dayOfWeek: part,
        }),
      }),
      status,
      up: ({ spec, status }) => {
        const { minute, hour, dayOfMonth, month, dayOfWeek } = spec.schedule
        const parts = [minute, hour, dayOfMonth, month, dayOfWeek].map((one) => one ?? '*')
        return { spec: { ...spec, schedule: parts.join(' ') }, ...(status && { status }) }
      },
      down: ({ spec, status }) => {
        const parts = spec.schedule.split(' ')
        if (parts.length !== 5) throw new Error(`${spec.schedule} does not have five fields`)
        const [minute, hour, dayOfMonth, month, dayOfWeek] = parts.map((one) =>
          one === '*' ? undefined : one,
        )
        const schedule = { minute, hour, dayOfMonth, month, dayOfWeek }
        return { spec: { ...spec, schedule }, ...(status && { status }) }
      },
    },
  },
})

export const versionedCronJobs = operator(VersionedCronJob)
