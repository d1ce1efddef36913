import { cancelAnnotation } from 'setpoint'
import { confirmWrites } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { annotate, readRunbooks, runbookObject } from './runbook-object.ts'

/** `setpoint runbook cancel`: cancels the run of a runbook that is in progress. */
export async function runRunbookCancel(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const [name = '', argument = ''] = input.arguments
  const object = await runbookObject(context, input, argument)
  const { run, state } = (await readRunbooks(object))[name] ?? {}
  if (run === undefined || state !== 'Running') {
    throw new CommandError(`no run of ${name} of ${object.title} is in progress`)
  }
  const what = `cancel run ${run} of ${name} of ${object.title}`
  await confirmWrites(context, input, { access: object.access, what })
  await annotate(object, cancelAnnotation(name, run))
  context.terminal.print(`requested to cancel run ${run} of ${name} of ${object.title}`)
  return exitCodes.ok
}
