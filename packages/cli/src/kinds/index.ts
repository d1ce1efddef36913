/**
 * kinds/: `setpoint kinds`, types for custom resources that others defined.
 *
 * It reads CRDs from files, a pipe or a cluster and writes what `typesFromCrd` of setpoint/kinds makes of them.
 *
 * It promises that nothing in a CRD becomes code, that the same CRD gives the same file, and that files are written
 * only when something changed.
 */
export { runKinds } from './run-kinds.ts'
