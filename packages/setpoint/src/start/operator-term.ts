import type { Cache } from '../cache/index.ts'
import { Client, type Connection } from '../client/index.ts'
import type { ControllerActivity, RunReport } from '../controller/index.ts'
import { isSetpointError, SetpointError } from '../errors/index.ts'
import { type Host, onAbort, type Timer } from '../host/index.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { Logger } from '../log/index.ts'
import type { OperatorMetrics, ReadinessCheck } from '../metrics/index.ts'
import { type AnyOperator, hasReconcile, OperatorRuntime } from '../operator/index.ts'
import { SharedFailures } from '../operator/failures/shared-failures.ts'

/** The dependencies of a term. */
interface TermOptions {
  readonly host: Host
  readonly client: Client
  readonly connection: Connection
  /** Whether this process is the leader, by its own clock. */
  readonly mayWork: () => boolean
  readonly cache: Cache
  readonly metrics: OperatorMetrics
  readonly log: Logger
  readonly onRunEnd: (report: RunReport) => void
  /** How long reconciles in progress may take to finish at a stop. */
  readonly graceMs: number
}

/**
 * The term of a leader: from winning the election, or from the start of a process without one,
 * until leadership is lost or the process stops.
 */
export class OperatorTerm {
  readonly #options: TermOptions
  readonly #client: Client
  readonly #failures = new Map<string, SharedFailures>()
  readonly #runtimes: OperatorRuntime[] = []
  readonly #removeMetrics: (() => void)[] = []
  /** Runs the operators that are added while the term works. */
  #runAdded: ((runtimes: readonly OperatorRuntime[]) => void) | undefined
  #hasEnded = false

  constructor(operators: readonly AnyOperator[], options: TermOptions) {
    this.#options = options
    const { host, connection } = options
    const transport = options.client.transport.fenced((what) => this.#checkWrite(what))
    this.#client = new Client(host, connection, { transport })
    this.add(operators)
  }

  /** Adds operators; if the term works already, they begin now. */
  add(operators: readonly AnyOperator[]): void {
    const { metrics } = this.#options
    const reconciling = operators.filter(({ declaration }) => hasReconcile(declaration))
    const added = reconciling.map(({ declaration }) => {
      const resource = kindName(declaration.kind)
      const shared = this.#failures.get(resource) ?? new SharedFailures()
      this.#failures.set(resource, shared)
      const parts = { ...this.#options, metrics: metrics.registry, client: this.#client, shared }
      return new OperatorRuntime(declaration, parts)
    })
    this.#runtimes.push(...added)
    this.#removeMetrics.push(...added.map(({ controller }) => metrics.addController(controller)))
    this.#runAdded?.(added)
  }

  /**
   * Works until the signal is aborted. After lost leadership there is no grace period, because the
   * process must not write any more. `since` is the revision at which the term began.
   */
  async run(signal: AbortSignal, since?: string): Promise<void> {
    const { host, graceMs } = this.#options
    let grace: Timer | undefined
    const stopListening = onAbort(signal, () => {
      for (const runtime of this.#runtimes) runtime.stop()
      const isLost = isSetpointError(signal.reason, 'LEADERSHIP_LOST')
      grace = host.setTimer(isLost ? 0 : graceMs, () => this.#abort(signal.reason))
    })
    await this.#runAll(signal, since)
    stopListening()
    grace?.cancel()
    this.#end()
  }

  /** Runs all operators, and those that are added meanwhile, until they have ended. */
  async #runAll(signal: AbortSignal, since: string | undefined): Promise<void> {
    const run = async (runtime: OperatorRuntime): Promise<void> =>
      runUntilStopped(runtime, signal, since)
    const added: Promise<void>[] = []
    const failed = new Promise<never>((_, reject) => {
      this.#runAdded = (runtimes) => {
        const runs = runtimes.map(run)
        added.push(...runs)
        for (const one of runs) one.catch(reject)
      }
    })
    const ends = this.#runtimes.map(run)
    await Promise.race([Promise.all(ends.length === 0 ? [aborted(signal)] : ends), failed])
    this.#runAdded = undefined
    await Promise.all(added)
  }

  /**
   * Enqueues a key of an operator because of an external event; `false` when the operator does not
   * run.
   */
  trigger(operator: string, key: string, why: string): boolean {
    const runtime = this.#runtimes.find(({ name }) => name === operator)
    return runtime?.trigger(key, why) ?? false
  }

  /** A remark about each operator that serves no namespace: it is ready, and does nothing. */
  readiness(): ReadinessCheck[] {
    return this.#runtimes
      .filter(({ servesNoNamespace }) => servesNoNamespace)
      .map(({ name }) => ({
        name: `operator ${name}`,
        problem: undefined,
        note: 'serves no object, because its option namespaces matches no namespace',
      }))
  }

  activity(): ControllerActivity[] {
    return this.#runtimes.map(({ controller }) => controller.activity)
  }

  /**
   * Releases its caches, and ends a term that never ran. Create the next term before: watches of
   * both continue.
   */
  dispose(): void {
    this.#end()
    for (const runtime of this.#runtimes) runtime.dispose()
  }

  #end(): void {
    this.#hasEnded = true
    for (const remove of this.#removeMetrics.splice(0)) remove()
  }

  /** Fences writes of functions that ignore their aborted signal. */
  #checkWrite(what: string): void {
    if (!this.#hasEnded && this.#options.mayWork()) return
    throw new SetpointError(
      'ABORTED',
      `${what} was not sent: this process stopped or lost leadership`,
      {
        hint: 'return when the signal is aborted; the current leader does the rest',
      },
    )
  }

  #abort(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error('the process ends')
    for (const runtime of this.#runtimes) runtime.abort(error)
  }
}

/** A process whose operators only review requests works until it is stopped. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  let stopListening = (): void => undefined
  await new Promise<void>((resolve) => (stopListening = onAbort(signal, resolve)))
  stopListening()
}

/** A stop before the caches are synced is not a failure. */
async function runUntilStopped(
  runtime: OperatorRuntime,
  signal: AbortSignal,
  since: string | undefined,
): Promise<void> {
  try {
    await runtime.run(signal, since)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
