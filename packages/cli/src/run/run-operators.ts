import { type LogLevel, run } from 'setpoint'
import { inClusterName } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { accessCluster, confirmWrites, webhookPortDefault, webhookUrl } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
  portOption,
} from '../command/index.ts'
import { checkExpressions } from '../expressions/index.ts'
import { loadOperators } from '../project/index.ts'

/**
 * `setpoint run`: runs the operators of a project from their sources as in a pod: signals, probes,
 * metrics, JSON logs, optionally leader election. `run` ends the process with its exit code.
 */
export async function runOperators(
  context: CommandContext,
  input: CommandInput,
): Promise<undefined> {
  const host = stoppingOnHangUp(context.host)
  const port = portOption(input, 'probes-port')
  checkOptions(input)
  const { operators, project } = await loadOperators(context, input.arguments[0])
  const access = await accessCluster(context, input)
  const { connection } = access
  // In a pod there is nothing to confirm: the pod was deployed to this cluster.
  if (connection.name !== inClusterName) {
    await confirmWrites(context, input, { access, what: 'Run operators from these sources' })
  }
  const url = webhookUrl(input)
  const webhookPort = portOption(input, 'webhook-port') ?? webhookPortDefault
  if (input.has('install')) await checkExpressions(operators)
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
    ...(url === undefined ? {} : { webhooks: { url, hostname: '0.0.0.0', port: webhookPort } }),
    logLevel: input.value('log-level') as LogLevel | undefined,
  })
  return undefined
}

/** Refuses options that would have no effect. */
function checkOptions(input: CommandInput): void {
  const wrong =
    input.value('election-namespace') !== undefined && !input.has('leader-elect')
      ? '--election-namespace needs --leader-elect'
      : input.value('webhook-port') !== undefined && input.value('webhook-url') === undefined
        ? '--webhook-port needs --webhook-url'
        : input.value('probes-port') !== undefined && input.has('no-probes')
          ? '--probes-port and --no-probes cannot be used together'
          : undefined
  if (wrong !== undefined) throw new CommandError(wrong, { exitCode: exitCodes.usage })
}

/** Treats SIGHUP of a closed terminal like SIGTERM. */
function stoppingOnHangUp(host: Host): Host {
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
