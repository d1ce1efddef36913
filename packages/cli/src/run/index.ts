/**
 * run/: `setpoint run`, which runs operators from their sources as in production.
 *
 * It calls `run` of the framework with options from the command line; a bundle of `setpoint build`
 * does the same without the command line. It has the guarantees of `run`: a graceful stop, probes,
 * exit codes.
 */
export { runOperators } from './run-operators.ts'
