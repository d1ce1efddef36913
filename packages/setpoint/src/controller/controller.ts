import { type Change, type Key, keyOf, type KindCache } from '../cache/index.ts'
import { headline, isSetpointError } from '../errors/index.ts'
import { type Host, durationMs } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { type QueueOptions, type Work, type WorkOutcome, WorkQueue } from '../queue/index.ts'
import { type Outcome, RetryLaterError } from './outcome.ts'
import { OwnWrites, type WriteScope } from './own-writes.ts'
import { ChangeReason, type Reason, TimedReason } from './reason.ts'
import { RunBrake } from './run-brake.ts'
import { inRunSpan } from './run-span.ts'
import type { ControllerActivity, ReportedRun, RunReport } from './run-report.ts'
import { type Ended, runWithDeadline } from './run-with-deadline.ts'

/** An object as a server answered a write with it. */
interface WrittenObject {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly resourceVersion: string
    readonly uid?: string | undefined
  }
}

/** One run of a key. */
export interface Run extends ReportedRun {
  /** The cache does not show what earlier runs of the key wrote, and was waited for in vain. */
  readonly isBehind?: boolean
  /** Aborted when the run takes too long or the process ends. */
  readonly signal: AbortSignal
  /** Tells of a write, so that its echo causes no run and the next run waits until the cache shows it. */
  wrote(cache: KindCache, object: WrittenObject, scope?: WriteScope): void
}

/** What a controller does and how. */
interface ControllerOptions {
  readonly name: string
  readonly host: Host
  readonly reconcile: (run: Run) => Promise<Outcome>
  /** How many keys are run at the same time. */
  readonly concurrency?: number | undefined
  /** How long a run may take before its signal is aborted. */
  readonly deadlineMs?: number | undefined
  readonly queue?: QueueOptions | undefined
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /** Told of a run that took too long, whose own signal is of no use any more. It must not reject. */
  readonly onOverdue?: ((run: Run, error: unknown) => Promise<void>) | undefined
}

const concurrencyDefault = 10
const deadlineMsDefault = 300_000

/**
 * Runs keys: turns changes into keys, and keys into runs, one at a time per key. Whatever a run does (throw, hang,
 * reject late), other keys go on.
 */
export class Controller {
  readonly #options: ControllerOptions
  readonly #queue: WorkQueue<Reason>
  readonly #writes = new OwnWrites()
  readonly #brake = new RunBrake()
  readonly #controller = new AbortController()
  readonly #subscriptions: (() => void)[] = []
  /** When the runs that are not over began, by key. */
  readonly #startedMs = new Map<Key, number>()
  #active = 0

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#queue = new WorkQueue(options.host, options.queue)
  }

  get name(): string {
    return this.#options.name
  }

  /** How many keys are run at the same time at most. */
  get concurrency(): number {
    return this.#options.concurrency ?? concurrencyDefault
  }

  /** Keys that wait for a worker. */
  get depth(): number {
    return this.#queue.depth
  }

  /** Keys that are being run. */
  get active(): number {
    return this.#active
  }

  /** How often a key became due. */
  get added(): number {
    return this.#queue.added
  }

  /** How long each run under way has taken, those included that go on after their deadline. */
  get runningMs(): number[] {
    const nowMs = this.#options.host.monotonicMs()
    return [...this.#startedMs.values()].map((startMs) => nowMs - startMs)
  }

  /** What is under way. */
  get activity(): ControllerActivity {
    return {
      name: this.name,
      running: [...this.#startedMs.keys()],
      waiting: this.#queue.depth + this.#queue.gathering,
      failing: this.#queue.failing(),
    }
  }

  /** Runs the keys that a change of some object concerns. Changes this process made itself concern nobody. */
  watch<K extends Kind>(cache: KindCache<K>, keysOf: (change: Change) => Iterable<Key>): void {
    const stop = cache.subscribe((change) => {
      const reason = new ChangeReason(cache.kind.kind, change, this.#options.host.now())
      if (this.#writes.explain(reason)) return
      const priority = change.isInitial ? 'background' : 'fresh'
      for (const key of keysOf(change)) {
        this.#queue.add(key, reason, priority)
      }
    })
    this.#subscriptions.push(stop)
  }

  /** Runs a key because of something outside the cluster. */
  trigger(key: Key, why: string): void {
    this.#queue.add(key, new TimedReason('external', why))
  }

  /** Works until it is stopped. It never rejects. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.concurrency }, async () => this.#work()))
  }

  /** Gives out no more keys and lets the runs under way finish. */
  stop(): void {
    for (const stop of this.#subscriptions.splice(0)) stop()
    this.#queue.close()
  }

  /** Aborts the runs under way. */
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
    const what = `the run of ${this.#options.name} for ${work.key}`
    const limits = { host, deadlineMs, signal: this.#controller.signal, what }
    let run = this.#runOf(work)
    const attempt = runWithDeadline(limits, async (signal) => {
      const brakeMs = this.#brake.delayMs(work.key, startMs)
      if (brakeMs > 0) await host.sleep(brakeMs, signal)
      const isBehind = !(await this.#writes.whenSeen(work.key, signal))
      // It looks at the world from here on: what came in until now is no reason for another run.
      run = { ...run, isBehind, reasons: [...run.reasons, ...this.#queue.absorb(work.key)] }
      const traced = { host, controller: this.name, ...run, waitedMs: work.waitedMs }
      // What is no time to look again is a mistake of this run.
      return recheckOf(await inRunSpan(traced, async () => reconcile({ ...run, signal })))
    })
    const ended = await attempt.result
    const told = this.#tellOverdue(ended, run)
    const [report, outcome] = verdictOf(ended)
    const times = { durationMs: host.monotonicMs() - startMs, waitedMs: work.waitedMs }
    const retryAfterMs = 'afterMs' in outcome ? outcome.afterMs : undefined
    onRunEnd?.({ controller: this.name, run, ...report, ...times, retryAfterMs })
    // A run that goes on after its deadline may still write: its key waits for it, its worker does not.
    void Promise.all([attempt.settled, told]).then(() => {
      this.#startedMs.delete(work.key)
      this.#queue.finish(
        work.key,
        outcome,
        (reason) => reason.cause !== 'change' || !this.#writes.explain(reason),
      )
    })
  }

  async #tellOverdue(ended: Ended<unknown>, run: Omit<Run, 'signal'>): Promise<void> {
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
        this.#writes.note(key, { cache, key: keyOf(metadata), resourceVersion, scope })
      },
    }
  }
}

/** When a run wants to look again, if it does. */
function recheckOf(outcome: Outcome): WorkOutcome<Reason> {
  const recheckAfter = outcome?.recheckAfter
  if (recheckAfter === undefined) return { type: 'done' }
  const reason = new TimedReason('recheck', `recheck after ${recheckAfter}`)
  return { type: 'recheck', reason, afterMs: durationMs(recheckAfter, 'recheckAfter') }
}

/** What a run came to, for those who watch and for the queue. */
function verdictOf(
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
