/**
 * doctor/: `setpoint doctor`, what keeps operators from working.
 *
 * One file per subject, each a function that looks and returns findings: the machine and the packages, the server and its
 * clock, the definitions, the rights, the watches. `run-doctor.ts` puts them together.
 *
 * It promises to change nothing, to go on as far as it can, and to say for every finding what to do.
 */
export { runDoctor } from './run-doctor.ts'
