import { type LogLevel, run } from 'setpoint'
import { loadConnection } from 'setpoint/client'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
} from '../command/index.ts'
import { loadOperators } from '../project/index.ts'

/**
 * `setpoint run`: the operators of a project as they run in a pod, from their sources: signals, probes and metrics, logs
 * in JSON, an election if asked for. `run` ends the process, with its own code.
 */
export async function runOperators(
  context: CommandContext,
  input: CommandInput,
): Promise<undefined> {
  const { host } = context
  const { operators, project } = await loadOperators(context, input.arguments[0])
  const connection = await loadConnection(host, {
    kubeconfig: input.value('kubeconfig'),
    context: input.value('context'),
  })
  const namespaces = input.values('namespace')
  const watched = namespaces.length > 0 ? namespaces : project.settings.watch
  const lease = input.value('election-namespace')
  const port = portOf(input)
  await run(operators, {
    host,
    connection,
    ...(watched === undefined ? {} : { namespaces: watched }),
    ...(input.has('leader-elect')
      ? { election: lease === undefined ? {} : { namespace: lease } }
      : {}),
    ...(input.has('no-probes')
      ? { probes: false }
      : port === undefined
        ? {}
        : { probes: { port } }),
    ...(input.has('install') ? { install: true } : {}),
    logLevel: input.value('log-level') as LogLevel | undefined,
  })
  return undefined
}

function portOf(input: CommandInput): number | undefined {
  const text = input.value('probes-port')
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`--probes-port is ${text}, not a port`, { exitCode: exitCodes.usage })
}
