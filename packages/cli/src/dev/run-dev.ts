import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { findProject, operatorsFile } from '../project/index.ts'
import { namedFiles } from './apply-files.ts'
import { DevSession } from './dev-session.ts'
import { openDevTarget } from './dev-target.ts'
import { JsonView } from './json-view.ts'
import { LiveView } from './screen/live-view.ts'
import { PlainView } from './plain-view.ts'
import type { View } from './view.ts'

/** `setpoint dev`: runs operators on a cluster and reloads them when their sources change. */
export async function runDev(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  checkOptions(input)
  const isClusterOnly = input.has('cluster-only')
  const found = isClusterOnly
    ? { project: await projectOrFolder(context), file: undefined }
    : await operatorsFile(context, input.arguments[0])
  const applied = await namedFiles(context.host, context.folder, input.values('apply'))
  await using target = await openDevTarget(context, input, found.project.folder)
  const view = viewOf(context, input)
  try {
    view.show({ is: 'cluster', cluster: { ...target.shown, hasOperators: !isClusterOnly } })
    const { file } = found
    const session = new DevSession(context, {
      target,
      view,
      folder: found.project.folder,
      file,
      hasSimulations: input.has('sim'),
    })
    await session.run({ applied, hasSamples: input.has('samples') })
  } finally {
    view.close()
  }
  return exitCodes.ok
}

/** Refuses options that exclude each other, instead of ignoring one of them. */
function checkOptions(input: CommandInput): void {
  const given = (name: string): boolean => input.has(name) || input.value(name) !== undefined
  const own = ['persist', 'port', 'nodes', 'images', 'cluster-only']
  if (input.has('sim') && input.has('cluster-only')) {
    throw new CommandError('--sim and --cluster-only cannot be used together', {
      exitCode: exitCodes.usage,
      hint: 'omit --sim: it simulates operators, and none run',
    })
  }
  const pairs = [
    ...['kubeconfig', 'context'].flatMap((name) => own.map((other) => [name, other] as const)),
    ['plain', 'json'] as const,
  ]
  const isOther = given('kubeconfig') || given('context')
  const forOthers = ['webhook-url', 'webhook-port'].find((name) => given(name) && !isOther)
  if (forOthers !== undefined) {
    throw new CommandError(`--${forOthers} is for another cluster`, {
      exitCode: exitCodes.usage,
      hint: 'omit it: the embedded cluster reaches the webhooks without it',
    })
  }
  const wrong = pairs.find(([one, other]) => given(one) && given(other))
  if (wrong !== undefined) {
    throw new CommandError(`--${wrong[0]} and --${wrong[1]} cannot be used together`, {
      exitCode: exitCodes.usage,
      hint: own.includes(wrong[1])
        ? `--${wrong[1]} is for the embedded cluster, --${wrong[0]} selects another cluster`
        : 'use one of them',
    })
  }
  if (input.has('cluster-only') && input.arguments.length > 0) {
    throw new CommandError(
      `--cluster-only runs no operators, but ${input.arguments.join()} was given`,
      {
        exitCode: exitCodes.usage,
        hint: 'omit one of them',
      },
    )
  }
}

/** `--cluster-only` needs no project. */
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
