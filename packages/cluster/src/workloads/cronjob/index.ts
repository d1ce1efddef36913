/**
 * cronjob/: Jobs at certain times.
 *
 * `workloads/` starts the controller made here. When something is due is known to `cronSchedule` of the framework, whose `.every`
 * means the same by an expression; `missed-starts` knows which start to make up for. Nothing polls: a run ends with the
 * time of the next one.
 */
export { cronJobController } from './cron-job-controller.ts'
