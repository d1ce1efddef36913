/**
 * kinds/: `setpoint kinds`, TypeScript types for third-party custom resources.
 *
 * It reads CRDs from files, the standard input or a cluster, and writes the result of
 * `typesFromCrd` of setpoint/kinds.
 *
 * It guarantees that no text of a CRD becomes code, that the same CRD gives the same file, and that
 * only changed files are written.
 */
export { runKinds } from './run-kinds.ts'
