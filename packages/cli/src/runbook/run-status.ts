import {
  type CommandContext,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { runbookLines } from './run-lines.ts'
import { readRunbooks, runbookObject } from './runbook-object.ts'

/** `setpoint runbook status`: shows the runbooks of an object. */
export async function runRunbookStatus(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const { terminal } = context
  const [argument = ''] = input.arguments
  const object = await runbookObject(context, input, argument)
  const runbooks = await readRunbooks(object)
  if (input.has('json')) {
    terminal.print(JSON.stringify(runbooks, undefined, 2))
    return exitCodes.ok
  }
  const names = Object.keys(runbooks)
  if (names.length === 0) terminal.print(`${object.title} has run no runbook yet`)
  for (const name of names) {
    for (const line of runbookLines(name, runbooks[name] ?? {})) terminal.print(line)
  }
  return exitCodes.ok
}
