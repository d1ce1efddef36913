/**
 * system/: the command line's door to the machine, as `setpoint/host` is the framework's.
 *
 * The only folder of this package that touches the process, its terminal, other processes and the loader of
 * modules. Commands get what they need of it through their context or by the functions below; files, time and
 * network are the host's.
 *
 * It promises that nothing is written, started or asked before somebody calls for it.
 */
export { findProgram } from './find-program.ts'
export { importedUrls, importModule } from './import-module.ts'
export { NodeTerminal } from './node-terminal.ts'
export {
  endProcess,
  exportConditions,
  hangUp,
  nodeVersion,
  startedFolder,
  startedWords,
} from './own-process.ts'
export { runAttached } from './run-attached.ts'
export { readInput } from './read-input.ts'
export { FolderWatch } from './watch-folders.ts'
export { listenToStarter, startWorker, type Worker } from './worker.ts'
