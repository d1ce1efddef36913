/**
 * dev/: `setpoint dev`, which runs operators during development and reloads them.
 *
 * `run-dev.ts` is the command. `dev-target.ts` is its cluster: an embedded one (`dev-cluster.ts`),
 * or the cluster of a kubeconfig. The operators run in another process (`operator-process.ts`; `instance.ts` on
 * this side), which is replaced when their sources change (`reloader.ts`). The views print events
 * as lines, as JSON or as a screen (`plain-view.ts`, `json-view.ts`, `screen/live-view.ts`).
 *
 * It guarantees that the cluster keeps its state over reloads, that old and new operators never
 * reconcile an object at the same time, and that the old operators keep running when new sources
 * fail to load.
 */
export { runDev } from './run-dev.ts'
export { runOperatorProcess } from './operator-process.ts'
