import { operator } from 'setpoint'
import { CronJob } from 'setpoint/kinds'
import { CronTab } from './crontab.ts'

/** Runs the image of every CronTab on its schedule, with a CronJob. */
export default operator(CronTab)
  .child('cronjob', CronJob, ({ metadata: { name }, spec }) => ({
    spec: {
      schedule: spec.cronSpec,
      suspend: spec.suspend,
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: {
          parallelism: spec.replicas,
          completions: spec.replicas,
          backoffLimit: spec.retries,
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name, image: spec.image }] },
          },
        },
      },
    },
  }))
  .status((_, { cronjob }) => {
    const { active = [], lastScheduleTime, lastSuccessfulTime } = cronjob?.status ?? {}
    return { active: active.length, lastScheduleTime, lastSuccessfulTime }
  })
