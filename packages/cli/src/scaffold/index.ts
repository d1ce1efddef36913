/**
 * scaffold/: the files of a new project and of a new resource.
 *
 * `setpoint new`, `npm create setpoint` and `setpoint add resource` write them. `project-files.ts`,
 * `readme.ts` and `resource-files.ts` have the texts as functions of names.
 *
 * It guarantees that no file is overwritten, and that the files compile, pass their tests and run.
 */
export { runAddResource } from './run-add-resource.ts'
export { runNew } from './run-new.ts'
