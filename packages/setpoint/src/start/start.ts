import { Cache } from '../cache/index.ts'
import { Client, type Connection, loadConnection } from '../client/index.ts'
import type { RunReport } from '../controller/index.ts'
import { type Host, nodeHost } from '../host/index.ts'
import type { AnyOperator } from './operator-declaration.ts'
import { OperatorRuntime } from './operator-runtime.ts'

/** Where and how operators run; everything has a default. */
export interface StartOptions {
  readonly host?: Host | undefined
  /** The cluster; found as kubectl would unless given. */
  readonly connection?: Connection | undefined
  /** Told of every run that ended. */
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /** How long runs under way may take to finish when it is stopped. */
  readonly graceMs?: number | undefined
}

/** Operators at work. */
export interface RunningOperators extends AsyncDisposable {
  readonly client: Client
  readonly cache: Cache
  /** Takes on nothing new, lets what is under way finish, then ends. */
  stop(): Promise<void>
}

const graceMsDefault = 20_000

/** Starts operators against a cluster. They share caches: one watch per kind, however many look at it. */
export async function start(
  operators: readonly AnyOperator[],
  options: StartOptions = {},
): Promise<RunningOperators> {
  const host = options.host ?? nodeHost()
  const connection = options.connection ?? (await loadConnection(host))
  const client = new Client(host, connection)
  const cache = new Cache({ host, transport: client.transport })
  const controller = new AbortController()
  const runtimes = operators.map(
    ({ declaration }) =>
      new OperatorRuntime(declaration, { host, client, cache, onRunEnd: options.onRunEnd }),
  )
  const running = Promise.all(
    runtimes.map(async (runtime) => {
      try {
        await runtime.run(controller.signal)
      } catch (error) {
        if (!controller.signal.aborted) throw error
      }
    }),
  )
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    for (const runtime of runtimes) runtime.stop()
    controller.abort()
    const grace = host.setTimer(options.graceMs ?? graceMsDefault, () => {
      for (const runtime of runtimes) runtime.abort(new Error('the process ends'))
    })
    await running
    grace.cancel()
    for (const runtime of runtimes) runtime.dispose()
    await cache.stop()
  }
  const stopOnce = (): Promise<void> => (stopping ??= stop())
  return { client, cache, stop: stopOnce, [Symbol.asyncDispose]: stopOnce }
}
