/**
 * start/: operators as a process.
 *
 * `run` is for a main file: it starts operators, handles signals and ends the process. `start` is the same without the
 * process around it, for programs that do more, and for tests on a virtual host. Both connect to a cluster, look at the
 * installed CRDs (`Definitions`), open caches, serve probes and metrics, and stand for election if asked to. An
 * `OperatorTerm` is the time in which this process is the one that works.
 *
 * It promises that work begins only when the caches are filled, that a stop lets runs finish within a time, and that a
 * process which lost its election aborts what it was doing before another one begins.
 */
export { crdDifferences } from './crd-differences.ts'
export { run } from './run.ts'
export type { RunOptions } from './run-options.ts'
export type { RunningOperators, StartOptions } from './start-options.ts'
export { start } from './start.ts'
