/**
 * output/: writes a folder of generated files, such as a chart or a bundle.
 *
 * `writeOutput` changes only what differs and removes files of an earlier call. It refuses a folder
 * that it did not make. `reportOutput` prints the changes.
 *
 * A folder of the user is never overwritten: one file of the folder is marked in its first line.
 */
export { type OutputFile, writeOutput } from './write-output.ts'
export { reportOutput } from './report-output.ts'
