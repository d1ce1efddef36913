import { commands } from './commands/index.ts'
import { runMain } from './run-main.ts'
import { processArguments } from './system/index.ts'

/** The command `setpoint`: runs the command of this process's arguments and ends the process. */
export async function main(): Promise<void> {
  await runMain(commands, processArguments())
}
