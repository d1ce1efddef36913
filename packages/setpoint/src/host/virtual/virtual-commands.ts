import { commandError } from '../command-error.ts'
import type { Commands } from '../host.ts'
import type { Scheduler } from './scheduler.ts'
import type { VirtualCommand } from './virtual-program.ts'

/** The programs of a virtual host; each run is an action of the scheduler. */
export function virtualCommands(
  scheduler: Scheduler,
  commands: Readonly<Record<string, VirtualCommand>>,
): Commands {
  return {
    runCommand: (command, options = {}) =>
      new Promise((resolve, reject) => {
        const run = (): void => {
          const program = Object.hasOwn(commands, command) ? commands[command] : undefined
          if (program === undefined) {
            reject(commandError(command, `spawn ${command} ENOENT`))
            return
          }
          try {
            resolve({ exitCode: 0, stdout: '', stderr: '', ...program(options) })
          } catch (cause) {
            reject(commandError(command, String(cause), cause))
          }
        }
        scheduler.soon({ label: `command ${command}`, run })
      }),
  }
}
