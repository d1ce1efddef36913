/**
 * project/: the project of the current folder, and its operators.
 *
 * `findProject` reads package.json with the settings of the key `setpoint`, `loadOperators` imports
 * the operators from their sources. Every command that needs operators starts with it.
 *
 * Its errors name the file and a fix: for a module without operators, an unknown setting, and a
 * module that fails to load.
 */
export {
  loadOperators,
  type LoadedOperators,
  operatorsFile,
  operatorsIn,
} from './load-operators.ts'
export type { BundleSettings } from './project-bundle.ts'
export type { MonitoringSettings } from './optional-settings.ts'
export { findProject, type Project } from './project.ts'
export type { SimSettings } from './project-sim.ts'
export { isManifest, sampleFiles } from './sample-files.ts'
