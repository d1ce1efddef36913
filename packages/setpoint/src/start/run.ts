import {
  Client,
  type Connection,
  inClusterName,
  isApiError,
  loadConnection,
} from '../client/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import { type Host, nodeHost, durationMs } from '../host/index.ts'
import { delayOptimisation } from '../host/node/delay-optimisation.ts'
import { hostLogger, type Logger, plainError } from '../log/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { gracePeriodDefault } from './grace-period-default.ts'
import { type Ending, listenForEnd } from './listen-for-end.ts'
import { localWebhooks } from './local-webhooks.ts'
import { restrictedTo } from './restricted-to.ts'
import { type RunOptions, startOptionsOf } from './run-options.ts'
import type { RunningOperators } from './start-options.ts'
import { start } from './start.ts'

/** How long a stop may take beyond the grace period of reconciles. */
const stopMs = 5_000

/** The deadline of the first request: a user waits for it. */
const firstRequestMs = 10_000

/**
 * The main function of operators: `await run([application])`. It starts them with what a pod needs
 * (probes, logs, signals) and ends the process: with 0 after a requested stop, with 1 when it could
 * not start or failed. An uncaught exception ends it too, an unhandled promise rejection does not;
 * both are logged.
 */
export async function run(
  operators: readonly AnyOperator[],
  options: RunOptions = {},
): Promise<void> {
  // A program that passes a host controls the process itself.
  if (options.host === undefined) delayOptimisation()
  const host = options.host ?? nodeHost()
  const log = options.logger ?? hostLogger(host, { level: options.logLevel })
  const end = listenForEnd(host, log)
  const starting = startedOrFailed(operators, options, { host, log })
  // Before the start is complete, a stop has nothing to wait for.
  const running = await Promise.race([starting, end.ending])
  const code =
    'stop' in running ? await endOf(running, end.ending, { ...options, host, log }) : running.code
  end.stopListening()
  host.exit(code)
}

async function startedOrFailed(
  operators: readonly AnyOperator[],
  options: RunOptions,
  { host, log }: { readonly host: Host; readonly log: Logger },
): Promise<RunningOperators | Ending> {
  try {
    const startOptions = startOptionsOf(operators, options, host)
    const connection = options.connection ?? (await loadConnection(host))
    await tryConnection(restrictedTo(operators, startOptions.namespaces), host, connection)
    const process = { ...startOptions, host, connection, logger: log }
    const isPod = connection.name === inClusterName
    const webhooks = process.webhooks ?? (await localWebhooks(operators, process))
    // A pod without the address of its Service is a mistake, which `start` reports.
    return await start(operators, { ...process, webhooks: webhooks ?? (isPod ? undefined : false) })
  } catch (error) {
    const hint = isSetpointError(error) && error.hint !== undefined ? `; ${error.hint}` : ''
    const code = isSetpointError(error) ? { code: error.code } : {}
    log.error(code, `cannot start: ${headline(error)}${hint}`)
    return { code: 1 }
  }
}

/**
 * One small list per operator finds problems early: an unreachable server, an untrusted
 * certificate, a missing permission.
 */
async function tryConnection(
  operators: readonly AnyOperator[],
  host: Host,
  connection: Connection,
): Promise<void> {
  const client = new Client(host, connection)
  await Promise.all(
    operators.map(async ({ declaration: { kind, options } }) => {
      const { namespaces } = options
      const isNamed = kind.scope === 'Namespaced' && Array.isArray(namespaces)
      const namespace = isNamed ? (namespaces as readonly string[])[0] : undefined
      const page = { namespace, pageSize: 1, timeout: firstRequestMs }
      try {
        await client.listPages(kind, page).next()
      } catch (error) {
        // A kind that is not served yet is not a problem, because the operator waits for it.
        if (!isApiError(error, 'API_NOT_FOUND')) throw error
      }
    }),
  )
}

/** Works until something ends it, stops, and returns the exit code. */
async function endOf(
  running: RunningOperators,
  ending: Promise<Ending>,
  options: Pick<RunOptions, 'gracePeriod'> & { readonly host: Host; readonly log: Logger },
): Promise<number> {
  const { host, log, gracePeriod = gracePeriodDefault } = options
  const { code, withinMs = durationMs(gracePeriod, 'gracePeriod') + stopMs } = await Promise.race([
    ending,
    failureOf(running.ended, log),
  ])
  const giveUp = new AbortController()
  const late = host.sleep(withinMs, giveUp.signal).then(
    () => 'late' as const,
    () => 'in time' as const,
  )
  const stopped = running.stop().then(
    () => 'in time' as const,
    (error: unknown) => {
      log.error({ err: plainError(error, { stack: true }) }, 'failed to stop')
      return 'failed' as const
    },
  )
  const how = await Promise.race([stopped, late])
  giveUp.abort()
  if (how === 'late')
    log.warn({ withinMs }, 'stopping took too long: exiting with work in progress')
  return how === 'in time' ? code : 1
}

/** Without a request to stop, the operators end only by failing. */
async function failureOf(ended: Promise<void>, log: Logger): Promise<Ending> {
  try {
    await ended
    return { code: 0 }
  } catch (error) {
    log.error({ err: plainError(error, { stack: true }) }, 'the operators failed')
    return { code: 1 }
  }
}
