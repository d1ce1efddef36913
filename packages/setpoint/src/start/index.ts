/**
 * start/: operators as a process.
 *
 * `run` is for a main file: it starts operators, handles signals and ends the process. `start` does
 * the same without the process, for programs that do more, and for tests on a virtual host. Both
 * connect to a cluster, compare the installed CRDs (`Definitions`), open caches, serve probes and
 * metrics, and take part in leader election if requested. An `OperatorTerm` is the time in which
 * this process is the leader.
 *
 * Reconciles start only when the caches are synced. A stop lets reconciles finish within a grace
 * period. A process that lost leadership aborts its work before another one starts.
 */
export { checkConversion } from './check-conversion.ts'
export { crdDifferences } from './crd-differences.ts'
export { leaseName } from './lease-name.ts'
export { run } from './run.ts'
export type { RunOptions } from './run-options.ts'
export type { RunningOperators, StartOptions } from './start-options.ts'
export { start } from './start.ts'
