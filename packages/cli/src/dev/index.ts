/**
 * dev/: `setpoint dev`, operators at work while they are being written.
 *
 * `run-dev.ts` is the command: a cluster (`dev-cluster.ts`, or one that was named), the operators in a process of
 * their own (`work.ts`, with `instance.ts` on this side), replaced when their sources change (`reloader.ts`), and what
 * goes on as lines, as JSON or as a screen (`plain-view.ts`, `json-view.ts`, `live-view.ts`).
 *
 * It promises that the state of the cluster outlives every reload, that no object is in the hands of old and new
 * operators at once, and that sources which do not load change nothing.
 */
export { devFolder, kubeconfigName } from './dev-cluster.ts'
export { runDev } from './run-dev.ts'
export { runWork } from './work.ts'
