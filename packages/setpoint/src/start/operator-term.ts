import type { Cache } from '../cache/index.ts'
import { Client, type Connection } from '../client/index.ts'
import type { ControllerActivity, RunReport } from '../controller/index.ts'
import { isSetpointError, SetpointError } from '../errors/index.ts'
import { type Host, onAbort, type Timer } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import type { OperatorMetrics } from '../metrics/index.ts'
import { type AnyOperator, OperatorRuntime } from '../operator/index.ts'
import { SharedFailures } from '../operator/failures/shared-failures.ts'

/** What a term needs. */
interface TermOptions {
  readonly host: Host
  readonly client: Client
  readonly connection: Connection
  /** Whether this process is the one that works, as far as its clock can tell. */
  readonly mayWork: () => boolean
  readonly cache: Cache
  readonly metrics: OperatorMetrics
  readonly log: Logger
  readonly onRunEnd: (report: RunReport) => void
  /** How long runs under way may take to finish when there is no hurry. */
  readonly graceMs: number
}

/** The time in which this process is the one that works: from its election, or its start, to the end of either. */
export class OperatorTerm {
  readonly #options: TermOptions
  readonly #runtimes: readonly OperatorRuntime[]
  readonly #uncounts: (() => void)[]
  #isOver = false

  constructor(operators: readonly AnyOperator[], options: TermOptions) {
    this.#options = options
    const { host, connection } = options
    const transport = options.client.transport.fenced((what) => this.#checkWrite(what))
    const client = new Client(host, connection, { transport })
    const byResource = new Map<string, SharedFailures>()
    this.#runtimes = operators.map(({ declaration }) => {
      const { group, plural } = declaration.kind
      const shared = byResource.get(`${plural}.${group}`) ?? new SharedFailures()
      byResource.set(`${plural}.${group}`, shared)
      return new OperatorRuntime(declaration, { ...options, client, shared })
    })
    this.#uncounts = this.#runtimes.map(({ controller }) =>
      options.metrics.addController(controller),
    )
  }

  /** Works until the signal is aborted. Who lost an election must not write any more: then there is no grace. */
  async run(signal: AbortSignal): Promise<void> {
    const { host, graceMs } = this.#options
    let grace: Timer | undefined
    const stopListening = onAbort(signal, () => {
      for (const runtime of this.#runtimes) runtime.stop()
      const isLost = isSetpointError(signal.reason, 'LEADERSHIP_LOST')
      grace = host.setTimer(isLost ? 0 : graceMs, () => this.#abort(signal.reason))
    })
    await Promise.all(this.#runtimes.map(async (runtime) => runUntilStopped(runtime, signal)))
    stopListening()
    grace?.cancel()
    this.#end()
  }

  /** Runs a key of an operator because of something outside; `false` when it does not work. */
  trigger(operator: string, key: string, why: string): boolean {
    const runtime = this.#runtimes.find(({ name }) => name === operator)
    return runtime?.trigger(key, why) ?? false
  }

  activity(): ControllerActivity[] {
    return this.#runtimes.map(({ controller }) => controller.activity)
  }

  /** Gives back its caches, and ends if it never worked. Whoever begins another one does that first: what both watch goes on. */
  dispose(): void {
    this.#end()
    for (const runtime of this.#runtimes) runtime.dispose()
  }

  #end(): void {
    this.#isOver = true
    for (const uncount of this.#uncounts.splice(0)) uncount()
  }

  /** Whoever goes on in spite of its signal must not get in the way of those who work now. */
  #checkWrite(what: string): void {
    if (!this.#isOver && this.#options.mayWork()) return
    throw new SetpointError('ABORTED', `${what} was not sent: this process works no more`, {
      hint: 'end work when its signal is aborted; whatever is left is done by the process that works now',
    })
  }

  #abort(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error('the process ends')
    for (const runtime of this.#runtimes) runtime.abort(error)
  }
}

/** Being stopped while the caches still fill is no failure. */
async function runUntilStopped(runtime: OperatorRuntime, signal: AbortSignal): Promise<void> {
  try {
    await runtime.run(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
