import { commands } from './commands/index.ts'
import { runMain } from './run-main.ts'
import { startedWords } from './system/index.ts'

/** The command `setpoint`: reads the words of this process, does what they say and ends it. */
export async function main(): Promise<void> {
  await runMain(commands, startedWords())
}
