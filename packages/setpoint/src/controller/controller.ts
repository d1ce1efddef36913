import { type Change, type Key, keyOf, type KindCache } from '../cache/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import { type Host, durationMs } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { type QueueOptions, type Work, type WorkOutcome, WorkQueue } from '../queue/index.ts'
import { type Outcome, RetryLaterError } from './outcome.ts'
import { OwnWrites, type WriteScope } from './own-writes.ts'
import { ChangeReason, type Reason, TimedReason } from './reason.ts'
import { RunThrottle } from './run-throttle.ts'
import { inRunSpan } from './run-span.ts'
import type { ControllerActivity, ReportedRun, RunReport } from './run-report.ts'
import { type Ended, runWithDeadline } from './run-with-deadline.ts'

/** An object as the server returned it from a write. */
interface WrittenObject {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly resourceVersion: string
    readonly uid?: string | undefined
  }
}

/** One reconcile of a key. */
export interface Run extends ReportedRun {
  /**
   * The cache does not have the own writes of earlier reconciles, although this one waited for
   * them.
   */
  readonly isCacheStale?: boolean
  /** Aborted when the reconcile takes too long or the process ends. */
  readonly signal: AbortSignal
  /**
   * Reports an own write: its echo causes no reconcile, and the next reconcile waits until the
   * cache has it.
   */
  wrote(cache: KindCache, object: WrittenObject, scope?: WriteScope): void
}

/** The options of a controller. */
interface ControllerOptions {
  readonly name: string
  readonly host: Host
  readonly reconcile: (run: Run) => Promise<Outcome>
  /** How many keys are reconciled at the same time. */
  readonly concurrency?: number | undefined
  /** How long a reconcile may take before its signal is aborted. */
  readonly deadlineMs?: number | undefined
  readonly queue?: QueueOptions | undefined
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /**
   * Called after a reconcile took too long, with a signal that is not aborted yet. It must not
   * reject.
   */
  readonly onOverdue?: ((run: Run, error: unknown) => Promise<void>) | undefined
}

const concurrencyDefault = 10
const deadlineMsDefault = 300_000

/**
 * Maps changes to keys and reconciles them, one reconcile at a time per key. A reconcile that
 * throws, hangs or rejects late does not affect other keys.
 */
export class Controller {
  readonly #options: ControllerOptions
  readonly #queue: WorkQueue<Reason>
  readonly #writes = new OwnWrites()
  readonly #throttle = new RunThrottle()
  readonly #controller = new AbortController()
  readonly #subscriptions = new Set<() => void>()
  /** When the reconciles in progress started, by key. */
  readonly #startedMs = new Map<Key, number>()
  #active = 0

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#queue = new WorkQueue(options.host, options.queue)
  }

  get name(): string {
    return this.#options.name
  }

  /** The maximum number of keys that are reconciled at the same time. */
  get concurrency(): number {
    return this.#options.concurrency ?? concurrencyDefault
  }

  /** Keys that wait for a worker. */
  get depth(): number {
    return this.#queue.depth
  }

  /** Keys that are being reconciled. */
  get active(): number {
    return this.#active
  }

  /** How often a key became due. */
  get added(): number {
    return this.#queue.added
  }

  /** The duration of each reconcile in progress, including those past their deadline. */
  get runningMs(): number[] {
    const nowMs = this.#options.host.monotonicMs()
    return [...this.#startedMs.values()].map((startMs) => nowMs - startMs)
  }

  /** The work in progress. */
  get activity(): ControllerActivity {
    return {
      name: this.name,
      running: [...this.#startedMs.keys()],
      waiting: this.#queue.depth + this.#queue.gathering,
      scheduled: this.#queue.scheduled,
      failing: this.#queue.failing(),
    }
  }

  /**
   * Enqueues the keys that `keysOf` returns for a change. Echoes of own writes enqueue nothing.
   * Their reconciles wait until `readFrom` has the change, too: the cache of the same kind that they
   * read, if it is another one. Returns a function that ends it.
   */
  watch<K extends Kind>(
    cache: KindCache<K>,
    keysOf: (change: Change) => Iterable<Key>,
    readFrom: KindCache | KindCache<K> = cache,
  ): () => void {
    const stop = cache.subscribe((change) => {
      const reason = new ChangeReason(cache.kind.kind, change, this.#options.host.now())
      if (this.#writes.isEcho(reason)) return
      const priority = change.isInitial ? 'background' : 'fresh'
      const { key: changed, revision: resourceVersion } = change
      for (const key of keysOf(change)) {
        if (readFrom !== cache)
          this.#writes.expect(key, { cache: readFrom, key: changed, resourceVersion })
        this.#queue.add(key, reason, priority)
      }
    })
    this.#subscriptions.add(stop)
    return () => {
      this.#subscriptions.delete(stop)
      stop()
    }
  }

  /** Enqueues a key because of an event outside the cluster. */
  trigger(key: Key, why: string): void {
    this.#queue.add(key, new TimedReason('external', why))
  }

  /** Reconciles keys until it is stopped. It never rejects. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.concurrency }, async () => this.#work()))
  }

  /** Hands out no more keys; reconciles in progress finish. */
  stop(): void {
    for (const stop of this.#subscriptions) stop()
    this.#subscriptions.clear()
    this.#queue.close()
  }

  /** Aborts the reconciles in progress. */
  abort(reason: Error): void {
    this.#controller.abort(reason)
  }

  async #work(): Promise<void> {
    for (let work = await this.#queue.take(); work !== undefined; work = await this.#queue.take()) {
      this.#active += 1
      await this.#run(work)
      this.#active -= 1
    }
  }

  async #run(work: Work<Reason>): Promise<void> {
    const { host, reconcile, onRunEnd, deadlineMs = deadlineMsDefault } = this.#options
    const startMs = host.monotonicMs()
    this.#startedMs.set(work.key, startMs)
    const what = `the reconcile of ${this.#options.name} for ${work.key}`
    const limits = { host, deadlineMs, signal: this.#controller.signal, what }
    let run = this.#runOf(work)
    const attempt = runWithDeadline(limits, async (signal) => {
      const throttleMs = this.#throttle.delayMs(work.key, startMs)
      if (throttleMs > 0) await host.sleep(throttleMs, signal)
      const isCacheStale = !(await this.#writes.waitForOwnWrites(work.key, signal))
      // The cache is read from here on: changes that arrived until now need no further reconcile.
      run = { ...run, isCacheStale, reasons: [...run.reasons, ...this.#queue.absorb(work.key)] }
      const traced = { host, controller: this.name, ...run, waitedMs: work.waitedMs }
      // An invalid recheckAfter fails this reconcile.
      return recheckOf(await inRunSpan(traced, async () => reconcile({ ...run, signal })))
    })
    const ended = await attempt.result
    const reported = this.#reportOverdue(ended, run)
    const [report, outcome] = resultOf(ended)
    const times = { durationMs: host.monotonicMs() - startMs, waitedMs: work.waitedMs }
    const retryAfterMs = 'afterMs' in outcome ? outcome.afterMs : undefined
    onRunEnd?.({ controller: this.name, run, ...report, ...times, retryAfterMs })
    // A reconcile that ignores its deadline may still write: its key waits for it, its worker does
    // not.
    void Promise.all([attempt.settled, reported]).then(() => {
      this.#startedMs.delete(work.key)
      this.#queue.finish(
        work.key,
        outcome,
        (reason) => reason.cause !== 'change' || !this.#writes.isEcho(reason),
      )
    })
  }

  async #reportOverdue(ended: Ended<unknown>, run: Omit<Run, 'signal'>): Promise<void> {
    const { signal } = this.#controller
    if (ended.isDone || !isSetpointError(ended.error, 'RUN_OVERDUE')) return
    await this.#options.onOverdue?.({ ...run, signal }, ended.error)
  }

  #runOf({ key, reasons, failures }: Work<Reason>): Omit<Run, 'signal'> {
    return {
      id: this.#options.host.uuid(),
      key,
      reasons,
      failures,
      wrote: (cache, { metadata }, scope = 'object') => {
        const { resourceVersion } = metadata
        this.#writes.record(key, { cache, key: keyOf(metadata), resourceVersion, scope })
      },
    }
  }
}

/** When a reconcile asks to be repeated, if it does. */
function recheckOf(outcome: Outcome): WorkOutcome<Reason> {
  const recheckAfter = outcome?.recheckAfter
  if (recheckAfter === undefined) return { type: 'done' }
  const wait = typeof recheckAfter === 'number' ? `${recheckAfter} ms` : recheckAfter
  const reason = new TimedReason('recheck', `recheck ${wait} after the last reconcile`)
  return { type: 'recheck', reason, afterMs: durationMs(recheckAfter, 'recheckAfter') }
}

/** The result of a reconcile, for reports and for the queue. */
function resultOf(
  ended: Ended<WorkOutcome<Reason>>,
): [Pick<RunReport, 'result' | 'error'>, WorkOutcome<Reason>] {
  if (ended.isDone) {
    const { value } = ended
    return [{ result: value.type === 'recheck' ? 'recheck' : 'done', error: undefined }, value]
  }
  const { error } = ended
  if (isSetpointError(error, 'GIVE_UP')) return [{ result: 'gave-up', error }, { type: 'done' }]
  const reason = new TimedReason('retry', `retry after: ${headline(error)}`)
  if (!isSetpointError(error, 'RETRY_LATER')) {
    return [
      { result: 'failed', error },
      { type: 'failed', reason },
    ]
  }
  const afterMs = error instanceof RetryLaterError ? error.afterMs : undefined
  return [
    { result: 'later', error },
    { type: 'later', reason, afterMs },
  ]
}
