/**
 * system/: the command line's access to the machine, in addition to `setpoint/host`.
 *
 * Only this folder of the package uses the process, its terminal, other processes and the module
 * loader. Commands use it through their context or the functions below. Files, time and network
 * belong to the host.
 *
 * Importing it has no effects.
 */
export { findProgram } from './find-program.ts'
export { importedUrls, importModule } from './import-module.ts'
export { NodeTerminal } from './node-terminal.ts'
export {
  endProcess,
  exportConditions,
  hangUp,
  nodeVersion,
  parentId,
  currentFolder,
  processArguments,
  processId,
} from './own-process.ts'
export { resolvePackage } from './resolve-package.ts'
export { runAttached } from './run-attached.ts'
export { runCaptured } from './run-captured.ts'
export { readInput } from './read-input.ts'
export { FolderWatch } from './watch-folders.ts'
export { listenToStarter, startWorker, type Worker } from './worker.ts'
