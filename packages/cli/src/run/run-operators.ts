import { type LogLevel, run } from 'setpoint'
import type { Host } from 'setpoint/host'
import { accessCluster, agreeToWrites } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
} from '../command/index.ts'
import { loadOperators } from '../project/index.ts'

/** What the framework calls the cluster around a pod. */
const podConnection = 'in-cluster'

/**
 * `setpoint run`: the operators of a project as they run in a pod, from their sources: signals, probes and metrics, logs
 * in JSON, an election if asked for. `run` ends the process, with its own code.
 */
export async function runOperators(
  context: CommandContext,
  input: CommandInput,
): Promise<undefined> {
  const host = hearingHangUp(context.host)
  const port = portOf(input)
  checkTogether(input)
  const { operators, project } = await loadOperators(context, input.arguments[0])
  const access = await accessCluster(context, input)
  const { connection } = access
  // A pod is where it is because somebody wanted it there.
  if (connection.name !== podConnection) {
    await agreeToWrites(context, input, { access, what: 'Run operators from these sources' })
  }
  const namespaces = input.values('namespace')
  const watched = namespaces.length > 0 ? namespaces : project.settings.watch
  const lease = input.value('election-namespace')
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

/** Options that would be left aside without a word. */
function checkTogether(input: CommandInput): void {
  const wrong =
    input.value('election-namespace') !== undefined && !input.has('leader-elect')
      ? '--election-namespace means nothing without --leader-elect'
      : input.value('probes-port') !== undefined && input.has('no-probes')
        ? '--probes-port means nothing with --no-probes'
        : undefined
  if (wrong !== undefined) throw new CommandError(wrong, { exitCode: exitCodes.usage })
}

/** A terminal that is closed is a request to stop, as a pod gets it. */
function hearingHangUp(host: Host): Host {
  return {
    ...host,
    onSignal: (signal, run) => {
      const stops = [signal, ...(signal === 'SIGTERM' ? (['SIGHUP'] as const) : [])].map((each) =>
        host.onSignal(each, run),
      )
      return () => stops.forEach((stop) => stop())
    },
  }
}

function portOf(input: CommandInput): number | undefined {
  const text = input.value('probes-port')
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`--probes-port is ${text}, not a port`, { exitCode: exitCodes.usage })
}
