import { isSetpointError, SetpointError } from '../errors/index.ts'
import { onAbort, type Timer } from '../host/index.ts'
import {
  type CompleteOptions,
  completeOptions,
  type ElectionOptions,
  renewJitter,
} from './election-options.ts'
import { isWriteConflict, LeaseLock } from './lease-lock.ts'

/** A candidate waits `retryPeriod`, and up to this much more, as in client-go. */
const acquireJitter = 1.2

/** The work that only the leader does. It must end soon after its signal is aborted. */
type ElectedWork = (signal: AbortSignal) => Promise<void>

/** How a term ended. */
type TermEnd =
  | { readonly why: 'lost' | 'stopped' | 'finished' }
  | { readonly why: 'failed'; readonly error: unknown }

/**
 * One replica's part in leader election. `run` it with the work; read `isLeader` or use `onChange`
 * for metrics and probes.
 *
 * The signal of the work is aborted `renewDeadline` after the last successful renewal was sent.
 * Another replica starts no earlier than `leaseDuration` after it. Work that ends within the
 * difference never overlaps with another replica.
 */
export class LeaderElection {
  /** The identity of this replica in the Lease. */
  readonly identity: string
  readonly #options: CompleteOptions
  readonly #lock: LeaseLock
  #acquiredRevision: string | undefined
  /** The time at which leadership ends unless the Lease is renewed. */
  #untilMs = -Infinity
  #lossTimer: Timer | undefined
  #reported = { isLeader: false, holder: '' }
  #isRunning = false
  #lastError: unknown

  constructor(options: ElectionOptions) {
    this.#options = completeOptions(options)
    this.identity = this.#options.identity
    this.#lock = new LeaseLock(this.#options)
  }

  /**
   * Whether this replica leads now. The clock decides: a process that was suspended too long does
   * not lead.
   */
  get isLeader(): boolean {
    return this.#options.host.monotonicMs() < this.#untilMs
  }

  /** The Lease, as `namespace/name`. */
  get lease(): string {
    return `${this.#options.namespace}/${this.#options.name}`
  }

  /** The revision of the Lease when this replica acquired it: that of the beginning of its term. */
  get acquiredRevision(): string | undefined {
    return this.#acquiredRevision
  }

  /** Why the last attempt failed; `undefined` when it succeeded. */
  get lastError(): unknown {
    return this.#lastError
  }

  /** The holder of the Lease when it was last read or written; empty when there was none. */
  get holder(): string {
    return this.#lock.holder
  }

  /**
   * Waits for leadership, then runs the work with a signal that is aborted when leadership is lost
   * (`LEADERSHIP_LOST`) or `signal` is aborted. After a loss, when the work has ended, it waits for
   * leadership again. It ends when `signal` is aborted, when the work returns, or with the error of
   * the work. The Lease is held until the work has ended, then released.
   */
  async run(work: ElectedWork, signal: AbortSignal): Promise<void> {
    if (this.#isRunning) {
      throw new SetpointError(
        'ELECTION_INVALID',
        `the election of ${this.identity} is already running`,
        {
          hint: 'await the previous run(), or create another LeaderElection for other work',
        },
      )
    }
    this.#isRunning = true
    try {
      while (await this.#acquire(signal)) {
        const end = await this.#term(work, signal)
        if (end.why === 'failed') throw end.error
        if (end.why !== 'lost') return
      }
    } finally {
      this.#resign()
      if (this.#options.releaseOnStop) await this.#release()
      this.#isRunning = false
    }
  }

  /** Retries until this replica leads; `false` when it was stopped before. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    do {
      try {
        this.#extend(await this.#lock.acquire(signal))
        this.#lastError = undefined
        this.#acquiredRevision = this.#lock.revision
        if (this.isLeader) return !signal.aborted
      } catch (error) {
        if (!signal.aborted && !isWriteConflict(error)) this.#failed(error)
      }
      this.#report()
    } while (await this.#pause(acquireJitter, signal))
    return false
  }

  /** One term: the work, and renewals until it has ended. */
  async #term(work: ElectedWork, stop: AbortSignal): Promise<TermEnd> {
    const working = new AbortController()
    const renewing = new AbortController()
    const lose = (): void => {
      working.abort(this.#lossError())
      renewing.abort()
      this.#resign()
    }
    const stopListening = onAbort(stop, () => working.abort(stop.reason))
    if (stop.aborted) working.abort(stop.reason)
    this.#watchLoss(lose)
    this.#report()
    const renewals = this.#renew(lose, renewing.signal)
    const failure = await failureOf(work, working.signal)
    const isLost = isSetpointError(working.signal.reason, 'LEADERSHIP_LOST')
    stopListening()
    renewing.abort()
    await renewals
    const why = stop.aborted ? 'stopped' : isLost ? 'lost' : 'finished'
    if (failure === undefined) return { why }
    if (why === 'finished') return { why: 'failed', error: failure.error }
    // The error of an abort is expected; any other error is reported.
    if (!isSetpointError(failure.error, 'ABORTED') && failure.error !== working.signal.reason) {
      this.#options.onFailure(failure.error)
    }
    return { why }
  }

  /** Renews until the signal is aborted; lost leadership aborts it too. */
  async #renew(lose: () => void, signal: AbortSignal): Promise<void> {
    while (await this.#pause(renewJitter, signal)) {
      try {
        const sinceMs = await this.#lock.renew(signal)
        if (signal.aborted) return
        this.#extend(sinceMs)
        this.#lastError = undefined
        if (sinceMs === undefined || !this.isLeader) lose()
        else this.#watchLoss(lose)
      } catch (error) {
        if (!signal.aborted) this.#failed(error)
      }
      this.#report()
    }
  }

  #failed(error: unknown): void {
    this.#lastError = error
    this.#options.onFailure(error)
  }

  /** Extends the term from the time of a successful write; `undefined` ends it. */
  #extend(sinceMs: number | undefined): void {
    this.#untilMs = sinceMs === undefined ? -Infinity : sinceMs + this.#options.renewMs
  }

  #watchLoss(lose: () => void): void {
    const { host } = this.#options
    this.#lossTimer?.cancel()
    this.#lossTimer = host.setTimer(this.#untilMs - host.monotonicMs(), lose)
  }

  #resign(): void {
    this.#lossTimer?.cancel()
    this.#untilMs = -Infinity
    this.#report()
  }

  async #release(): Promise<void> {
    const { host, renewMs, onFailure } = this.#options
    const controller = new AbortController()
    const timer = host.setTimer(renewMs, () => controller.abort())
    try {
      await this.#lock.release(controller.signal)
    } catch (error) {
      onFailure(error)
    } finally {
      timer.cancel()
    }
    this.#report()
  }

  #report(): void {
    const { isLeader, holder } = this
    if (isLeader === this.#reported.isLeader && holder === this.#reported.holder) return
    this.#reported = { isLeader, holder }
    this.#options.onChange(this.#reported)
  }

  #lossError(): SetpointError {
    const { renewMs } = this.#options
    const { holder, lease } = this
    const heldBy = holder === '' ? 'no replica' : JSON.stringify(holder)
    const why =
      holder === this.identity ? `it was not renewed for ${renewMs} ms` : `it is held by ${heldBy}`
    return new SetpointError('LEADERSHIP_LOST', `lost the Lease ${lease}: ${why}`, {
      hint: 'end the work immediately: another replica is about to start',
    })
  }

  /** Waits for the next attempt, with jitter; `false` when the signal was aborted. */
  async #pause(jitter: number, signal: AbortSignal): Promise<boolean> {
    const { host, retryMs } = this.#options
    try {
      await host.sleep(retryMs * (1 + jitter * host.random()), signal)
      return true
    } catch (error) {
      if (isSetpointError(error, 'ABORTED')) return false
      throw error
    }
  }
}

/** The error of the work, if it threw. */
async function failureOf(
  work: ElectedWork,
  signal: AbortSignal,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work(signal)
    return undefined
  } catch (error) {
    return { error }
  }
}
