import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { findProject, operatorsFile } from '../project/index.ts'
import { DevSession } from './dev-session.ts'
import { groundOf } from './ground.ts'
import { JsonView } from './json-view.ts'
import { LiveView } from './live-view.ts'
import { PlainView } from './plain-view.ts'
import { namedFiles } from './samples.ts'
import type { View } from './view.ts'

/** `setpoint dev`: runs operators on a cluster while they are being written. */
export async function runDev(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  checkTogether(input)
  const isAlone = input.has('cluster-only')
  const found = isAlone
    ? { project: await projectOrFolder(context), file: undefined }
    : await operatorsFile(context, input.arguments[0])
  const applied = await namedFiles(context.host, context.folder, input.values('apply'))
  await using ground = await groundOf(context, input, found.project.folder)
  const view = viewOf(context, input)
  try {
    view.tell({ is: 'cluster', cluster: ground.shown })
    const { file } = found
    const session = new DevSession(context, { ground, view, folder: found.project.folder, file })
    await session.run({ applied, hasSamples: input.has('samples') })
  } finally {
    view.close()
  }
  return exitCodes.ok
}

/** Options that contradict each other: one of them would be left aside without a word. */
function checkTogether(input: CommandInput): void {
  const given = (name: string): boolean => input.has(name) || input.value(name) !== undefined
  const own = ['persist', 'port', 'nodes', 'images', 'cluster-only']
  const pairs = [
    ...['kubeconfig', 'context'].flatMap((name) => own.map((other) => [name, other] as const)),
    ['plain', 'json'] as const,
  ]
  const wrong = pairs.find(([one, other]) => given(one) && given(other))
  if (wrong !== undefined) {
    throw new CommandError(`--${wrong[0]} and --${wrong[1]} do not go together`, {
      exitCode: exitCodes.usage,
      hint: own.includes(wrong[1])
        ? `--${wrong[1]} is about a cluster of our own, --${wrong[0]} names another one`
        : 'choose one of them',
    })
  }
  if (input.has('cluster-only') && input.arguments.length > 0) {
    throw new CommandError(`--cluster-only runs no operators, also not ${input.arguments.join()}`, {
      exitCode: exitCodes.usage,
      hint: 'leave out one of them',
    })
  }
}

/** A cluster alone needs no project. */
async function projectOrFolder(context: CommandContext): Promise<{ readonly folder: string }> {
  try {
    return await findProject(context)
  } catch (error) {
    if (error instanceof CommandError) return { folder: context.folder }
    throw error
  }
}

function viewOf({ terminal, host }: CommandContext, input: CommandInput): View {
  if (input.has('json')) return new JsonView(terminal, host)
  if (terminal.isDrawable && !input.has('plain')) return new LiveView(terminal, host)
  return new PlainView(terminal, host)
}
