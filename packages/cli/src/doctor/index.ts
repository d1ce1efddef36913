/**
 * doctor/: `setpoint doctor`, which finds problems that keep operators from working.
 *
 * One file per subject, each with a function that returns findings: the machine and its packages,
 * the server and its clock, the CRDs, the permissions, the watches, the webhooks. `run-doctor.ts`
 * calls them.
 *
 * It changes nothing, continues after a failed check, and prints a fix for every problem.
 */
export { runDoctor } from './run-doctor.ts'
