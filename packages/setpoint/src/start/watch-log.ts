import { type CacheHealth, type KindCache, steadyMs } from '../cache/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Clock, Timer, Timers } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { type Logger, plainError } from '../log/index.ts'

/** What is asked and told. */
interface WatchLogOptions {
  readonly host: Clock & Timers
  readonly log: Logger
  /** All caches of the process. */
  readonly health: () => readonly CacheHealth[]
  /** Whether somebody else tells already that the kind is missing. */
  readonly isKnownMissing: (kind: Kind) => boolean
  /** A kind that was not served is served now. */
  readonly onServed: (kind: Kind) => void
}

interface WatchState {
  hasBeenLive: boolean
  /** Since when it is live, if it is. */
  liveMs: number | undefined
  /** How often it failed since it last held for a while. */
  failures: number
  /** The kinds of trouble that were told, until it is over. */
  readonly told: Set<string>
  /** Runs while a watch that was in trouble has to prove itself. */
  proof: Timer | undefined
  isAbsent: boolean
}

/** A watch that breaks is opened again at once; only when that failed too is it worth a word. */
const failuresUntold = 1

/** So often it may break soon after it was opened: servers are replaced one after the other. */
const breaksUntold = 2

/** Tells when caches are filled, and of watches that are in trouble: once per trouble, and once when it is over. */
export class WatchLog {
  readonly #options: WatchLogOptions
  readonly #states = new Map<KindCache, WatchState>()
  readonly #startMs: number
  #isFilled = false

  constructor(options: WatchLogOptions) {
    this.#options = options
    this.#startMs = options.host.monotonicMs()
  }

  /** For `onState` of caches. */
  readonly heard = (cache: KindCache): void => {
    const health = cache.health()
    if (health.state === 'stopped') {
      this.#states.get(cache)?.proof?.cancel()
      this.#states.delete(cache)
      return
    }
    const state = this.#stateOf(cache)
    if (health.state === 'live') this.#live(health, state)
    else if (health.state === 'broken') this.#broken(health, state)
    else if (health.state === 'absent') this.#absent(health, state)
    this.#tellFilled()
  }

  #stateOf(cache: KindCache): WatchState {
    const known = this.#states.get(cache)
    if (known !== undefined) return known
    const state: WatchState = {
      hasBeenLive: false,
      liveMs: undefined,
      failures: 0,
      told: new Set(),
      proof: undefined,
      isAbsent: false,
    }
    this.#states.set(cache, state)
    return state
  }

  #live({ kind, objects, bytes }: CacheHealth, state: WatchState): void {
    const { host, log, onServed } = this.#options
    if (!state.hasBeenLive) log.debug({ kind: textOf(kind), objects, bytes }, 'a cache is filled')
    if (state.isAbsent) onServed(kind)
    Object.assign(state, { hasBeenLive: true, isAbsent: false })
    state.liveMs ??= host.monotonicMs()
    // One that was in trouble and is open may break again in a second.
    if (state.told.size > 0)
      state.proof ??= host.setTimer(steadyMs, () => this.#proved(kind, state))
  }

  #proved(kind: Kind, state: WatchState): void {
    Object.assign(state, { failures: 0, proof: undefined })
    state.told.clear()
    this.#options.log.info({ kind: textOf(kind) }, 'a watch works again')
  }

  #broken({ kind, lastError }: CacheHealth, state: WatchState): void {
    const wasOpen = this.#interrupted(state)
    state.failures += 1
    const untold = wasOpen ? breaksUntold : failuresUntold
    if (state.hasBeenLive && state.failures <= untold) return
    const trouble = isSetpointError(lastError) ? lastError.code : 'unknown'
    if (state.told.has(trouble)) return
    state.told.add(trouble)
    this.#options.log.warn(
      { kind: textOf(kind), err: plainError(lastError, { stack: false }) },
      wasOpen
        ? 'a watch breaks again and again soon after it was opened; the waits in between grow'
        : 'a watch cannot be opened; it is tried again and again',
    )
  }

  #absent({ kind }: CacheHealth, state: WatchState): void {
    this.#interrupted(state)
    state.isAbsent = true
    if (state.told.has('absent') || this.#options.isKnownMissing(kind)) return
    state.told.add('absent')
    this.#options.log.warn(
      { kind: textOf(kind) },
      'a kind is not served; its CRD may be missing, and objects are seen when it is there',
    )
  }

  /** A watch is not live any more. Returns whether it was; what it went through before it held for a while is over. */
  #interrupted(state: WatchState): boolean {
    const { liveMs } = state
    state.proof?.cancel()
    Object.assign(state, { liveMs: undefined, proof: undefined })
    if (liveMs === undefined) return false
    if (this.#options.host.monotonicMs() - liveMs >= steadyMs) state.failures = 0
    return true
  }

  #tellFilled(): void {
    if (this.#isFilled) return
    const health = this.#options.health()
    if (!health.every(({ isSynced }) => isSynced)) return
    this.#isFilled = true
    const objects = health.reduce((sum, cache) => sum + cache.objects, 0)
    const tookMs = Math.round(this.#options.host.monotonicMs() - this.#startMs)
    this.#options.log.info({ kinds: health.length, objects, tookMs }, 'all caches are filled')
  }
}

function textOf({ plural, group }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`
}
