import { newCommand } from './commands/new-command.ts'
import { runMain } from './run-main.ts'
import { processArguments } from './system/index.ts'

/** The command `create-setpoint`, which `npm create setpoint` calls: only `setpoint new`. */
export async function mainNew(): Promise<void> {
  await runMain([newCommand], [newCommand.name, ...processArguments()])
}
