/**
 * cronjob/: Jobs at certain times.
 *
 * `workloads/` starts the controller made here. `cron-schedule` and `time-zone` know when something is due, as the
 * library knows it that a real cluster uses (which is not what `.every` of operators does: days are combined differently,
 * and clocks that are changed are treated differently); `missed-starts` which start to make up for. Nothing polls: a run
 * ends with the time of the next one.
 */
export { cronJobController } from './cron-job-controller.ts'
