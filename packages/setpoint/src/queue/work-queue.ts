import { type Clock, type Random, type Timer, type Timers, durationMs } from '../host/index.ts'
import { backoffFirstMsDefault, backoffMaxMsDefault, backoffMs } from './backoff.ts'
import type { QueueOptions } from './queue-options.ts'
import { type Priority, ReadyList } from './ready-list.ts'

/** A key that is due, with all its reasons since its last reconcile. */
export interface Work<Reason> {
  readonly key: string
  readonly reasons: readonly Reason[]
  /** How many reasons were not kept. */
  readonly droppedReasons: number
  readonly priority: Priority
  /** How many reconciles of the key failed in a row before this one. */
  readonly failures: number
  /** How long the key was due before it was taken. */
  readonly waitedMs: number
}

/** The result of a reconcile. */
export type WorkOutcome<Reason> =
  | { readonly type: 'done' }
  /** It failed: requeue after the backoff. */
  | { readonly type: 'failed'; readonly reason: Reason }
  /**
   * It could not be done yet, which is not a failure: requeue after the given time, or after the
   * backoff.
   */
  | { readonly type: 'later'; readonly reason: Reason; readonly afterMs?: number | undefined }
  /** It succeeded: requeue after the given time. */
  | { readonly type: 'recheck'; readonly reason: Reason; readonly afterMs: number }

interface Item<Reason> {
  readonly key: string
  reasons: Reason[]
  dropped: number
  priority: Priority
  failures: number
  /** How many reconciles in a row could not be done yet. */
  delays: number
  /** Whether only the backoff caused the current or next reconcile. */
  isRetry: boolean
  state: 'idle' | 'gathering' | 'ready' | 'running' | 'running-again'
  dueMs: number
  timer: Timer | undefined
  timerDueMs: number
}

const defaults = {
  backoffFirstMs: backoffFirstMsDefault,
  backoffMaxMs: backoffMaxMsDefault,
  gatherMs: 0,
  isFair: false,
  reasonsMax: 20,
}

/**
 * The keys to reconcile. Only one worker has a key at a time. If the key is added during that time,
 * it is reconciled exactly once more. An event reconciles a failing key immediately, but only
 * reconciles that the backoff caused make the backoff grow.
 */
export class WorkQueue<Reason> {
  readonly #host: Clock & Timers & Random
  readonly #options: { readonly [name in keyof typeof defaults]: (typeof defaults)[name] }
  readonly #items = new Map<string, Item<Reason>>()
  readonly #ready: ReadyList
  readonly #takers: ((work: Work<Reason> | undefined) => void)[] = []
  #added = 0
  #gathering = 0
  #isClosed = false

  constructor(host: Clock & Timers & Random, options: QueueOptions = {}) {
    this.#host = host
    const { first = defaults.backoffFirstMs, max = defaults.backoffMaxMs } = options.backoff ?? {}
    this.#options = {
      backoffFirstMs: durationMs(first, 'queue.backoff.first'),
      backoffMaxMs: durationMs(max, 'queue.backoff.max'),
      gatherMs: durationMs(options.gather ?? defaults.gatherMs, 'queue.gather'),
      isFair: options.isFair ?? defaults.isFair,
      reasonsMax: options.reasonsMax ?? defaults.reasonsMax,
    }
    this.#ready = new ReadyList(this.#options.isFair)
  }

  /** Keys that are due and not taken yet. */
  get depth(): number {
    return this.#ready.size
  }

  /** Keys whose changes are being collected. */
  get gathering(): number {
    return this.#gathering
  }

  /** Keys that wait for a time. */
  get scheduled(): number {
    let count = 0
    for (const { state, timer } of this.#items.values()) {
      if (state === 'idle' && timer !== undefined) count += 1
    }
    return count
  }

  /** How often a key became due, including keys that were taken. */
  get added(): number {
    return this.#added
  }

  /** Keys that are due, in progress or waiting. */
  get size(): number {
    return this.#items.size
  }

  /** The failing keys, each with the number of its failed reconciles in a row. */
  failing(): ReadonlyMap<string, number> {
    const tried = [...this.#items.values()].map((item) => [item.key, triesOf(item)] as const)
    return new Map(tried.filter(([, tries]) => tries > 0))
  }

  /** Enqueues a key now. */
  add(key: string, reason: Reason, priority: Priority = 'fresh'): void {
    if (this.#isClosed) return
    const item = this.#item(key)
    this.#remember(item, reason)
    // A reason that arrives during a reconcile may be the echo of its own writes: it does not turn
    // a retry into a new reconcile.
    if (item.state !== 'running' && item.state !== 'running-again') item.isRetry = false
    this.#gather(item, priority)
  }

  /** Enqueues a key after a delay, unless another reason enqueues it before. */
  addAfter(key: string, delayMs: number, reason: Reason): void {
    if (this.#isClosed) return
    this.#schedule(this.#item(key), delayMs, reason)
  }

  /** The next key that is due; `undefined` when the queue was closed. */
  async take(): Promise<Work<Reason> | undefined> {
    if (this.#isClosed) return undefined
    const key = this.#ready.shift()
    if (key !== undefined) return this.#begin(this.#item(key))
    return new Promise((resolve) => this.#takers.push(resolve))
  }

  /**
   * Takes the reasons that arrived since the key was taken. For a reconcile that has not read the
   * cache yet: it sees those changes, so they cause no other reconcile.
   */
  absorb(key: string): Reason[] {
    const item = this.#items.get(key)
    if (item?.state !== 'running-again') return []
    const { reasons } = item
    Object.assign(item, { reasons: [], dropped: 0, priority: 'background', state: 'running' })
    return reasons
  }

  /**
   * Ends the reconcile of a key. Every `take` needs exactly one `finish`. `keepReason` returns
   * whether a reason that arrived during the reconcile is kept. It returns false for the echoes of
   * the own writes of this reconcile.
   */
  finish(
    key: string,
    outcome: WorkOutcome<Reason>,
    keepReason: (reason: Reason) => boolean = () => true,
  ): void {
    const item = this.#items.get(key)
    if (item === undefined) return
    item.reasons = item.reasons.filter(keepReason)
    const isDueAgain =
      item.state === 'running-again' && (item.reasons.length > 0 || item.dropped > 0)
    item.state = 'idle'
    if (outcome.type === 'done' || outcome.type === 'recheck') {
      Object.assign(item, { failures: 0, delays: 0 })
    } else {
      const count = outcome.type === 'failed' ? 'failures' : 'delays'
      // An explicit delay replaces the backoff.
      const isBackoff = item.isRetry && !('afterMs' in outcome && outcome.afterMs !== undefined)
      if (item[count] === 0 || isBackoff) item[count] += 1
    }
    // It is due again: requeue it now. The delay after that depends on the outcome of that
    // reconcile.
    if (isDueAgain) {
      item.isRetry = false
      this.#gather(item, item.priority)
    } else if (outcome.type !== 'done') {
      this.addAfter(key, this.#delayOf(item, outcome), outcome.reason)
    }
    this.#forgetIfIdle(item)
  }

  /** Hands out no more keys and drops the waiting ones. */
  close(): void {
    this.#isClosed = true
    for (const item of this.#items.values()) item.timer?.cancel()
    for (const taker of this.#takers.splice(0)) taker(undefined)
  }

  #item(key: string): Item<Reason> {
    const known = this.#items.get(key)
    if (known !== undefined) return known
    const item: Item<Reason> = {
      key,
      reasons: [],
      dropped: 0,
      priority: 'background',
      failures: 0,
      delays: 0,
      isRetry: false,
      state: 'idle',
      dueMs: 0,
      timer: undefined,
      timerDueMs: Infinity,
    }
    this.#items.set(key, item)
    return item
  }

  #remember(item: Item<Reason>, reason: Reason): void {
    if (item.reasons.length < this.#options.reasonsMax) item.reasons.push(reason)
    else item.dropped += 1
  }

  /** Collects further changes for a while before the key becomes due. */
  #gather(item: Item<Reason>, priority: Priority): void {
    const { gatherMs } = this.#options
    if (gatherMs === 0 || item.state !== 'idle') {
      if (item.state === 'gathering') {
        if (priority === 'fresh') item.priority = 'fresh'
      } else this.#due(item, priority)
      return
    }
    if (priority === 'fresh') item.priority = 'fresh'
    this.#cancelTimer(item)
    item.state = 'gathering'
    this.#gathering += 1
    item.timerDueMs = this.#host.monotonicMs() + gatherMs
    item.timer = this.#host.setTimer(gatherMs, () => {
      this.#cancelTimer(item)
      this.#gathering -= 1
      item.state = 'idle'
      this.#due(item, item.priority)
    })
  }

  #due(item: Item<Reason>, priority: Priority): void {
    if (priority === 'fresh') item.priority = 'fresh'
    if (item.state === 'running' || item.state === 'running-again') {
      item.state = 'running-again'
      return
    }
    if (item.state === 'idle') {
      item.dueMs = this.#host.monotonicMs()
      this.#added += 1
    }
    item.state = 'ready'
    const taker = this.#takers.shift()
    if (taker === undefined) this.#ready.add(item.key, item.priority)
    else taker(this.#begin(item))
  }

  #begin(item: Item<Reason>): Work<Reason> {
    const { key, reasons, dropped, priority, failures } = item
    this.#cancelTimer(item)
    Object.assign(item, { reasons: [], dropped: 0, priority: 'background', state: 'running' })
    const waitedMs = this.#host.monotonicMs() - item.dueMs
    return { key, reasons, droppedReasons: dropped, priority, failures, waitedMs }
  }

  #delayOf(item: Item<Reason>, outcome: Exclude<WorkOutcome<Reason>, { type: 'done' }>): number {
    if (outcome.type !== 'failed' && outcome.afterMs !== undefined) return outcome.afterMs
    return backoffMs(triesOf(item), this.#options, this.#host)
  }

  /** The earlier of two delays wins. */
  #schedule(item: Item<Reason>, delayMs: number, reason: Reason): void {
    const dueMs = this.#host.monotonicMs() + delayMs
    if (dueMs >= item.timerDueMs || item.state === 'ready' || item.state === 'gathering') return
    item.timer?.cancel()
    item.timerDueMs = dueMs
    item.timer = this.#host.setTimer(delayMs, () => {
      this.#cancelTimer(item)
      this.#remember(item, reason)
      item.isRetry = triesOf(item) > 0
      this.#due(item, 'fresh')
    })
  }

  #cancelTimer(item: Item<Reason>): void {
    item.timer?.cancel()
    item.timer = undefined
    item.timerDueMs = Infinity
  }

  #forgetIfIdle(item: Item<Reason>): void {
    const isIdle = item.state === 'idle' && item.timer === undefined && triesOf(item) === 0
    if (isIdle) this.#items.delete(item.key)
  }
}

/**
 * How many reconciles in a row did not succeed, including those that asked to be retried later: it
 * determines the backoff.
 */
function triesOf({ failures, delays }: Item<unknown>): number {
  return failures + delays
}
