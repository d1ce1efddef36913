/**
 * job/: what becomes of Jobs: their pods, their status, their end, and what is left of them afterwards.
 *
 * `workloads/` starts the controllers made here. The rules are pure functions, one file each: `job-tally` counts,
 * `job-verdict` decides how a Job ends, `pod-plan` which pods go or come, `counting` how pods that ended get into the
 * numbers exactly once, whenever the process is interrupted. `job-run` puts them together.
 */
export { jobController } from './job-controller.ts'
export { jobOrphanController } from './job-orphan-controller.ts'
export { ttlAfterFinishedController } from './ttl-controller.ts'
