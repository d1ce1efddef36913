/**
 * scaffold/: the files of a new project, a new resource and a new webhook.
 *
 * `setpoint new`, `npm create setpoint`, `setpoint add resource` and `setpoint add webhook` write
 * them. `project-files.ts`, `readme.ts`, `resource-files.ts` and `webhook-files.ts` have the texts as
 * functions of names. `run-add-webhook.ts` is loaded on its own: `npm create setpoint` does not need
 * it.
 *
 * It guarantees that no file is overwritten, and that the files compile, pass their tests and run.
 */
export { runAddResource } from './run-add-resource.ts'
export { runNew } from './run-new.ts'
