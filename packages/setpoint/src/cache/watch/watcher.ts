import { isApiError, type Selection, type Transport } from '../../client/index.ts'
import { isSetpointError, SetpointError } from '../../errors/index.ts'
import { type Host, onAbort } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { Backoff } from './watch-backoff.ts'
import { listOnce } from './list-once.ts'
import type { Replica } from '../replica.ts'
import { WatchSession } from './watch-session.ts'
import type { WatcherState } from './watcher-state.ts'

/** What a watcher looks at, and where it keeps it. */
interface WatcherOptions {
  readonly host: Host
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly replica: Replica
  /** Told whenever the state below changes, and of every failure while it is broken. */
  readonly onState: () => void
}

const failureBackoff = { firstMs: 800, maxMs: 30_000, forgetMs: 120_000 }
const absenceBackoff = { firstMs: 1_000, maxMs: 15_000, forgetMs: Infinity }

/** What ends, or is forgotten, again within this time is a failure to be waited after, or it would become a loop. */
const shortMs = 1_000

/** A watch that held for so long works: what comes after it is a new trouble, not the next of a row. */
export const steadyMs = 10_000

/** Who heard something within this time need not ask whether there is anything to hear. */
const freshMs = 5_000
const missedMs = 250

/** How many watches in a row may end in peace before they were steady; more are a failure to be waited after. */
const unsteadyMax = 3

/**
 * Keeps a replica up to date: lists once, then watches from there, resuming where it stopped. It lists again
 * only when the server has forgotten its revision.
 */
export class Watcher {
  readonly #options: WatcherOptions
  readonly #failures: Backoff
  readonly #absence: Backoff
  readonly #controller = new AbortController()
  #state: WatcherState = 'syncing'
  #lastError: unknown
  #seenMs: number
  #expiredMs = -Infinity
  /** How many watches in a row ended before they were steady. */
  #unsteady = 0
  /** The connection under way. */
  #session = new AbortController()
  #onOpen: () => unknown = () => undefined
  /** Whether the server streams initial lists; unknown until it was asked. */
  #streams = true

  constructor(options: WatcherOptions) {
    this.#options = options
    this.#failures = new Backoff(options.host, failureBackoff)
    this.#absence = new Backoff(options.host, absenceBackoff)
    this.#seenMs = options.host.monotonicMs()
  }

  get state(): WatcherState {
    return this.#state
  }

  /** Why it is broken or absent. */
  get lastError(): unknown {
    return this.#lastError
  }

  /** How long ago the server last said anything. */
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
   * Opens its watch anew if nothing was heard for a moment: a connection that was lost without a sign looks like one on
   * which nothing happens. Resolves when it is open and had time for what was missed, which a server sends at once.
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

  #isStopped(): boolean {
    return this.#controller.signal.aborted
  }

  /** From wherever it is to the end of one watch. */
  async #once(signal: AbortSignal): Promise<void> {
    const { replica } = this.#options
    const session = new AbortController()
    this.#session = session
    if (replica.revision === undefined && !this.#streams) {
      await listOnce({ ...this.#options, signal, onSign: () => this.#sign() })
      this.#become('live')
    }
    const stopListening = onAbort(signal, () => session.abort(signal.reason))
    const startMs = this.#options.host.monotonicMs()
    let liveMs = Infinity
    let signs = 0
    const onSign = (): void => {
      signs += 1
      this.#sign()
    }
    try {
      await new WatchSession({ ...this.#options, signal: session.signal, onSign }).run(() => {
        liveMs = Math.min(liveMs, this.#options.host.monotonicMs())
        this.#absence.reset()
        this.#become('live')
        this.#onOpen()
      })
    } finally {
      stopListening()
      this.#judge(liveMs)
    }
    // The first sign is the head of the answer: with nothing after it, nothing was gained.
    const isShort = this.#options.host.monotonicMs() - startMs < shortMs
    const isLoop = (signs <= 1 && isShort) || this.#unsteady > unsteadyMax
    if (isLoop && !session.signal.aborted) throw endedAtOnce(this.#options.kind)
  }

  /** A watch ended: being opened is no success as long as it does not hold. */
  #judge(liveMs: number): void {
    const isSteady = this.#options.host.monotonicMs() - liveMs >= steadyMs
    if (isSteady) this.#failures.reset()
    this.#unsteady = isSteady ? 0 : this.#unsteady + 1
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { replica } = this.#options
    if (isApiError(error, 'API_EXPIRED')) {
      // The replica stays readable; what it missed is found by comparing with a new list.
      replica.forgetRevision()
      if (!this.#hasJustExpired()) return
    }
    if (this.#streams && replica.revision === undefined && cannotStream(error)) {
      this.#streams = false
      return
    }
    this.#lastError = error
    const isAbsent = isApiError(error, 'API_NOT_FOUND')
    if (isAbsent) {
      replica.clear()
      this.#become('absent')
      this.#onOpen()
    } else this.#become('broken')
    try {
      await (isAbsent ? this.#absence : this.#failures).wait(signal)
    } catch (interruption) {
      if (!isSetpointError(interruption, 'ABORTED')) throw interruption
    }
  }

  /** Whether the server forgot where this is a moment ago, and now again. */
  #hasJustExpired(): boolean {
    const nowMs = this.#options.host.monotonicMs()
    const isAgain = nowMs - this.#expiredMs < shortMs
    this.#expiredMs = nowMs
    return isAgain
  }

  #sign(): void {
    this.#seenMs = this.#options.host.monotonicMs()
  }

  #become(state: WatcherState): void {
    if (this.#state === state && state !== 'broken') return
    this.#state = state
    this.#options.onState()
  }
}

function endedAtOnce({ plural }: Kind): SetpointError {
  return new SetpointError(
    'NETWORK_CONNECTION_LOST',
    `the watch of ${plural} ended soon after it had begun`,
    { hint: 'something between here and the server may not let answers stay open' },
  )
}

/** Servers before 1.32 refuse to send initial events; then pages do it. */
function cannotStream(error: unknown): boolean {
  return isApiError(error, 'API_INVALID') || isApiError(error, 'API_BAD_REQUEST')
}
