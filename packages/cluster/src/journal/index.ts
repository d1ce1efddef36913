/**
 * journal/: the state of a cluster in a directory.
 *
 * Every change of the store is a line in a log before its write is answered, so a killed process
 * loses nothing that it has answered. A long log is replaced by a snapshot of the state. Each line
 * has a checksum. Opening a directory recovers the state, or fails: it never starts with a part of
 * it. Only one process can open it. See decision 0027.
 */
export { DataDirectory } from './data-directory.ts'
