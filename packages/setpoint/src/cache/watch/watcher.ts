import { isApiError, type Selection, type Transport } from '../../client/index.ts'
import { isSetpointError, SetpointError } from '../../errors/index.ts'
import { type Host, onAbort } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { WatchBackoff } from './watch-backoff.ts'
import { listOnce } from './list-once.ts'
import type { WatchedObjects } from '../watched-objects.ts'
import { currentRevision } from './server-checks.ts'
import { WatchSession } from './watch-session.ts'
import type { WatcherState } from './watcher-state.ts'

/** The selection of a watcher, and its dependencies. */
interface WatcherOptions {
  readonly host: Host
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly watched: WatchedObjects
  /** Called whenever the state changes, and after every failure while it is broken. */
  readonly onState: () => void
  /** Called when the server's history was replaced, for example by a backup. */
  readonly onHistoryReset: () => void
}

const failureBackoff = { firstMs: 800, maxMs: 30_000, forgetMs: 120_000 }
const absenceBackoff = { firstMs: 1_000, maxMs: 15_000, forgetMs: Infinity }

/**
 * A watch that ends, or expires again, within this time counts as a failure: without a backoff it
 * would become a loop.
 */
const shortMs = 1_000

/** A watch that lasted this long works: a later failure starts with the first backoff again. */
export const steadyMs = 10_000

/** A watch that received something within this time is not reopened. */
const freshMs = 5_000
const missedMs = 250

/**
 * How many watches in a row may end normally before they were steady; after that the end counts as
 * a failure.
 */
const unsteadyMax = 3

/**
 * Keeps watched objects current: lists once, then watches and resumes after a disconnect. It relists only
 * when the server no longer has its revision.
 */
export class Watcher {
  readonly #options: WatcherOptions
  readonly #failures: WatchBackoff
  readonly #absence: WatchBackoff
  readonly #controller = new AbortController()
  #state: WatcherState = 'syncing'
  #lastError: unknown
  #seenMs: number
  #expiredMs = -Infinity
  /** How many watches in a row ended before they were steady. */
  #unsteady = 0
  /** Aborts the connection in progress. */
  #session = new AbortController()
  #onOpen: () => unknown = () => undefined
  /** Whether the server streams initial lists; assumed until it refuses. */
  #streams = true

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#failures = new WatchBackoff(options.host, failureBackoff)
    this.#absence = new WatchBackoff(options.host, absenceBackoff)
    this.#seenMs = options.host.monotonicMs()
  }

  get state(): WatcherState {
    return this.#state
  }

  /** Why it is broken or absent. */
  get lastError(): unknown {
    return this.#lastError
  }

  /** The time since the server last sent anything. */
  get silentMs(): number {
    const { host, transport } = this.#options
    return transport.isLocal ? 0 : host.monotonicMs() - this.#seenMs
  }

  /** Runs until stopped. It never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#controller
    while (!this.#isStopped()) {
      try {
        await this.#once(signal)
      } catch (error) {
        if (!this.#isStopped() && !this.#session.signal.aborted) await this.#recover(error, signal)
      }
    }
    this.#become('stopped')
  }

  stop(): void {
    this.#controller.abort()
  }

  /**
   * Reopens the watch if it received nothing for some seconds: a lost connection looks like an idle
   * one. Resolves when the watch is open and had time to receive missed events, which a server
   * sends immediately.
   */
  async reopen(signal: AbortSignal): Promise<void> {
    if (this.#state === 'absent' || this.silentMs < freshMs || signal.aborted) return
    let stopListening = (): void => undefined
    await new Promise<void>((resolve) => {
      stopListening = onAbort(signal, resolve)
      this.#onOpen = () => this.#options.host.setTimer(missedMs, resolve)
      this.#session.abort()
    })
    stopListening()
  }

  /** The server's history was replaced: lists again, unless this watcher has noticed it itself. */
  startOver(): void {
    const { watched } = this.#options
    if (watched.isStartingOver) return
    watched.startOver()
    this.#session.abort()
  }

  #isStopped(): boolean {
    return this.#controller.signal.aborted
  }

  /** Lists if needed, and watches until the watch ends. */
  async #once(signal: AbortSignal): Promise<void> {
    const { watched } = this.#options
    const session = new AbortController()
    this.#session = session
    if (watched.revision === undefined && !this.#streams) {
      await listOnce({ ...this.#options, signal, onActivity: () => this.#noteActivity() })
      this.#become('live')
    }
    const stopListening = onAbort(signal, () => session.abort(signal.reason))
    const startMs = this.#options.host.monotonicMs()
    let liveMs = Infinity
    let activities = 0
    const onActivity = (): void => {
      activities += 1
      this.#noteActivity()
    }
    try {
      if (watched.revision !== undefined) await this.#checkHistory(session.signal)
      await new WatchSession({ ...this.#options, signal: session.signal, onActivity }).run(() => {
        liveMs = Math.min(liveMs, this.#options.host.monotonicMs())
        this.#absence.reset()
        this.#become('live')
        this.#onOpen()
      })
    } finally {
      stopListening()
      this.#recordStability(liveMs)
    }
    // The first activity is the head of the response: if nothing follows it, the watch received no
    // event.
    const isShort = this.#options.host.monotonicMs() - startMs < shortMs
    const isLoop = (activities <= 1 && isShort) || this.#unsteady > unsteadyMax
    if (isLoop && !session.signal.aborted) throw endedEarly(this.#options.kind)
  }

  /** A restored backup goes unnoticed by a watch, which then waits for the old revision. */
  async #checkHistory(signal: AbortSignal): Promise<void> {
    const { transport, watched } = this.#options
    if (!transport.isLocal)
      watched.checkHistory(await currentRevision({ ...this.#options, signal }))
  }

  /** A watch ended: opening it counts as success only if it lasted. */
  #recordStability(liveMs: number): void {
    const isSteady = this.#options.host.monotonicMs() - liveMs >= steadyMs
    if (isSteady) this.#failures.reset()
    this.#unsteady = isSteady ? 0 : this.#unsteady + 1
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { watched } = this.#options
    if (isApiError(error, 'API_EXPIRED')) {
      // The objects stay readable; the next list finds the changes that were missed.
      watched.forgetRevision()
      if (!this.#hasJustExpired()) return
    }
    if (this.#streams && watched.revision === undefined && cannotStream(error)) {
      this.#streams = false
      return
    }
    this.#lastError = error
    const isAbsent = isApiError(error, 'API_NOT_FOUND')
    if (isAbsent) {
      watched.clear()
      this.#become('absent')
      this.#onOpen()
    } else this.#become('broken')
    if (isSetpointError(error, 'API_HISTORY_RESET')) {
      // The server answers, and the next list is accepted: there is nothing to wait for.
      this.#options.onHistoryReset()
      return
    }
    try {
      await (isAbsent ? this.#absence : this.#failures).wait(signal)
    } catch (interruption) {
      if (!isSetpointError(interruption, 'ABORTED')) throw interruption
    }
  }

  /** Whether the revision expired twice within `shortMs`. */
  #hasJustExpired(): boolean {
    const nowMs = this.#options.host.monotonicMs()
    const isAgain = nowMs - this.#expiredMs < shortMs
    this.#expiredMs = nowMs
    return isAgain
  }

  #noteActivity(): void {
    this.#seenMs = this.#options.host.monotonicMs()
  }

  #become(state: WatcherState): void {
    if (this.#state === state && state !== 'broken') return
    this.#state = state
    this.#options.onState()
  }
}

function endedEarly({ plural }: Kind): SetpointError {
  return new SetpointError(
    'NETWORK_CONNECTION_LOST',
    `the watch of ${plural} ended soon after it was opened`,
    { hint: 'a proxy between this process and the server may close long responses' },
  )
}

/** Servers before 1.32 refuse to stream initial lists; they are listed page by page. */
function cannotStream(error: unknown): boolean {
  return isApiError(error, 'API_INVALID') || isApiError(error, 'API_BAD_REQUEST')
}
