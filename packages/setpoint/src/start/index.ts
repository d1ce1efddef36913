/**
 * start/: operators as a process.
 *
 * `start` connects to a cluster, opens the caches, serves probes and metrics, stands for election if asked to, and runs the
 * operators while it may. An `OperatorTerm` is the time in which this process is the one that works. A main file
 * calls it; so do tests, on a virtual host.
 *
 * It promises that work begins only when the caches are filled, that a stop lets runs finish within a time, and that a
 * process which lost its election aborts what it was doing before another one begins.
 */
export { start, type RunningOperators, type StartOptions } from './start.ts'
