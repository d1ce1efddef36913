/**
 * project/: the folder that a command is called in, and the operators of its modules.
 *
 * `findProject` reads package.json with the settings of the key `setpoint`, `loadOperators` imports the operators
 * from their sources. Every command that is about operators begins here.
 *
 * It promises that nothing is guessed silently: a module that has no operators, a setting that nobody knows and an
 * error while loading are told with the file and what to write.
 */
export {
  loadOperators,
  type LoadedOperators,
  operatorsFile,
  operatorsIn,
} from './load-operators.ts'
export { findProject, type Project } from './project.ts'
