import type { CacheHealth, KindCache } from '../cache/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Clock } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { type Logger, plainError } from '../log/index.ts'

/** What is asked and told. */
interface WatchLogOptions {
  readonly host: Clock
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
  /** How often it failed since it was live. */
  failures: number
  /** What was told, until it is over. */
  told: string | undefined
  isAbsent: boolean
}

/** A watch that breaks is opened again at once; only when that failed too is it worth a word. */
const failuresUntold = 1

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
    const state = { hasBeenLive: false, failures: 0, told: undefined, isAbsent: false }
    this.#states.set(cache, state)
    return state
  }

  #live({ kind, objects, bytes }: CacheHealth, state: WatchState): void {
    const { log, onServed } = this.#options
    if (!state.hasBeenLive) log.debug({ kind: textOf(kind), objects, bytes }, 'a cache is filled')
    if (state.told !== undefined) log.info({ kind: textOf(kind) }, 'a watch works again')
    if (state.isAbsent) onServed(kind)
    Object.assign(state, { hasBeenLive: true, failures: 0, told: undefined, isAbsent: false })
  }

  #broken({ kind, lastError }: CacheHealth, state: WatchState): void {
    state.failures += 1
    if (state.hasBeenLive && state.failures <= failuresUntold) return
    const trouble = isSetpointError(lastError) ? lastError.code : 'unknown'
    if (state.told === trouble) return
    state.told = trouble
    const fields = { kind: textOf(kind), err: plainError(lastError, { stack: false }) }
    this.#options.log.warn(fields, 'a watch cannot be opened; it is tried again and again')
  }

  #absent({ kind }: CacheHealth, state: WatchState): void {
    state.isAbsent = true
    if (state.told === 'absent' || this.#options.isKnownMissing(kind)) return
    state.told = 'absent'
    this.#options.log.warn(
      { kind: textOf(kind) },
      'a kind is not served; its CRD may be missing, and objects are seen when it is there',
    )
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
