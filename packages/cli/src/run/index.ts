/**
 * run/: `setpoint run`, operators as they run in production, from their sources.
 *
 * It is `run` of the framework with options from the command line; a bundle of `setpoint build` does the same without
 * the command line. It promises what `run` promises: a stop in order, probes that mean something, exit codes.
 */
export { runOperators } from './run-operators.ts'
