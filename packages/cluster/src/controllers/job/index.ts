/**
 * job/: runs Jobs: creates their pods, updates their status, finishes them and deletes them after
 * their TTL.
 *
 * `controllers/` starts the controllers of this folder. The rules are pure functions, one file each:
 * `job-tally` counts, `job-completion` decides how a Job ends, `pod-plan` which pods are created and
 * deleted, `counting` how finished pods are counted exactly once although the process can stop at
 * any time. `job-run` puts them together.
 */
export { isTracked } from './job-rules.ts'
export { jobController } from './job-controller.ts'
export { jobOrphanController } from './job-orphan-controller.ts'
export { ttlAfterFinishedController } from './ttl-controller.ts'
