import { type CacheHealth, type KindCache, steadyMs } from '../cache/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Clock, Timer, Timers } from '../host/index.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { Kind } from '../kinds/kind.ts'
import { type Logger, plainError } from '../log/index.ts'

/** The dependencies of a `WatchLog`. */
interface WatchLogOptions {
  readonly host: Clock & Timers
  readonly log: Logger
  /** All caches of the process. */
  readonly health: () => readonly CacheHealth[]
  /** Whether the kind was already reported as missing. */
  readonly isKnownMissing: (kind: Kind) => boolean
  /** Called when a kind that was not served is served now. */
  readonly onServed: (kind: Kind) => void
}

interface WatchState {
  hasBeenLive: boolean
  /** Since when it is live, if it is. */
  liveMs: number | undefined
  /** How often it failed since it last was steady. */
  failures: number
  /** The error codes that were logged, until the watch recovers. */
  readonly reported: Set<string>
  /** Runs until a watch that failed has been open long enough to count as steady. */
  steadyTimer: Timer | undefined
  isAbsent: boolean
}

/**
 * A watch that breaks is reopened immediately; a failure to do so is logged from the second one on.
 */
const quietFailures = 1

/**
 * How often a watch may break soon after it was opened, without a log line: servers are replaced
 * one after the other.
 */
const quietBreaks = 2

/** Logs when caches are synced, and failing watches: once per error, and once when they recover. */
export class WatchLog {
  readonly #options: WatchLogOptions
  readonly #states = new Map<KindCache, WatchState>()
  readonly #startMs: number
  #isSynced = false

  constructor(options: WatchLogOptions) {
    this.#options = options
    this.#startMs = options.host.monotonicMs()
  }

  /** For `onState` of caches. */
  readonly onState = (cache: KindCache): void => {
    const health = cache.health()
    if (health.state === 'stopped') {
      this.#states.get(cache)?.steadyTimer?.cancel()
      this.#states.delete(cache)
      return
    }
    const state = this.#stateOf(cache)
    if (health.state === 'live') this.#live(health, state)
    else if (health.state === 'broken') this.#broken(health, state)
    else if (health.state === 'absent') this.#absent(health, state)
    this.#logSynced()
  }

  #stateOf(cache: KindCache): WatchState {
    const known = this.#states.get(cache)
    if (known !== undefined) return known
    const state: WatchState = {
      hasBeenLive: false,
      liveMs: undefined,
      failures: 0,
      reported: new Set(),
      steadyTimer: undefined,
      isAbsent: false,
    }
    this.#states.set(cache, state)
    return state
  }

  #live({ kind, objects, bytes }: CacheHealth, state: WatchState): void {
    const { host, log, onServed } = this.#options
    if (!state.hasBeenLive) log.debug({ kind: kindName(kind), objects, bytes }, 'cache synced')
    if (state.isAbsent) onServed(kind)
    Object.assign(state, { hasBeenLive: true, isAbsent: false })
    state.liveMs ??= host.monotonicMs()
    // A watch that failed may break again soon after it was opened.
    if (state.reported.size > 0)
      state.steadyTimer ??= host.setTimer(steadyMs, () => this.#recovered(kind, state))
  }

  #recovered(kind: Kind, state: WatchState): void {
    Object.assign(state, { failures: 0, steadyTimer: undefined })
    state.reported.clear()
    this.#options.log.info({ kind: kindName(kind) }, 'watch recovered')
  }

  #broken({ kind, lastError }: CacheHealth, state: WatchState): void {
    const wasOpen = this.#interrupted(state)
    state.failures += 1
    const quiet = wasOpen ? quietBreaks : quietFailures
    const code = isSetpointError(lastError) ? lastError.code : 'unknown'
    const isQuiet = code !== 'API_HISTORY_RESET' && state.failures <= quiet
    if (state.hasBeenLive && isQuiet) return
    if (state.reported.has(code)) return
    state.reported.add(code)
    this.#options.log.warn(
      { kind: kindName(kind), err: plainError(lastError, { stack: false }) },
      wasOpen
        ? 'the watch keeps breaking soon after it was opened: retrying with growing delays'
        : 'cannot open the watch: retrying with growing delays',
    )
  }

  #absent({ kind }: CacheHealth, state: WatchState): void {
    this.#interrupted(state)
    state.isAbsent = true
    if (state.reported.has('absent') || this.#options.isKnownMissing(kind)) return
    state.reported.add('absent')
    this.#options.log.warn(
      { kind: kindName(kind) },
      'the kind is not served, its CRD may be missing: waiting for it',
    )
  }

  /** The watch is not live any more. Returns whether it was. A steady watch resets the failures. */
  #interrupted(state: WatchState): boolean {
    const { liveMs } = state
    state.steadyTimer?.cancel()
    Object.assign(state, { liveMs: undefined, steadyTimer: undefined })
    if (liveMs === undefined) return false
    if (this.#options.host.monotonicMs() - liveMs >= steadyMs) state.failures = 0
    return true
  }

  #logSynced(): void {
    if (this.#isSynced) return
    const health = this.#options.health()
    if (!health.every(({ isSynced, isOptional }) => isSynced || isOptional)) return
    this.#isSynced = true
    const objects = health.reduce((sum, cache) => sum + cache.objects, 0)
    const tookMs = Math.round(this.#options.host.monotonicMs() - this.#startMs)
    this.#options.log.info({ kinds: health.length, objects, tookMs }, 'all caches are synced')
  }
}
