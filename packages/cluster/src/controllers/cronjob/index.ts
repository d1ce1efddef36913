/**
 * cronjob/: Jobs on a schedule.
 *
 * `controllers/` starts the controller. `cronSchedule` of Setpoint computes the times, as for
 * `.every` with a cron expression. `missed-starts` decides which missed time is started. The
 * controller does not poll: each reconcile requeues for the next time.
 */
export { cronJobController } from './cron-job-controller.ts'
