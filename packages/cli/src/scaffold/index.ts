/**
 * scaffold/: the first files of a project, and of a resource in it.
 *
 * `setpoint new`, `npm create setpoint` and `setpoint add resource` write them. The texts are functions of names
 * (`project-files.ts`, `resource-files.ts`); what is written belongs to whoever asked for it.
 *
 * It promises that nothing is overwritten, and that what is written compiles, passes its tests and runs.
 */
export { runAddResource } from './run-add-resource.ts'
export { runNew } from './run-new.ts'
