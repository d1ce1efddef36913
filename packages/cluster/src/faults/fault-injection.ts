import type { Clock, Timers } from 'setpoint/host'
import type { Store } from '../store/index.ts'
import { isLegal } from './legal-answers.ts'
import { OpenWatch, type WatchEnd } from './open-watch.ts'
import { type FaultEffect, RequestFault } from './request-fault.ts'
import { type FaultedRequest, matches, type RequestMatch } from './request-match.ts'

interface FaultContext {
  readonly host: Clock & Timers
  readonly store: Store
}

/** An effect on the next requests that match. */
interface Rule {
  readonly match: RequestMatch
  readonly effect: FaultEffect
  left: number
}

/** A watch cache that is behind the storage. */
type Lag = { readonly match: RequestMatch } & (
  { readonly revision: number } | { readonly delayMs: number }
)

/** How long the requests of a real server take to fail without storage. */
interface StorageOutage {
  readonly writesAfterMs: number
  readonly readsAfterMs: number
}

const writes: ReadonlySet<string> = new Set([
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
])

/** Reviews are answered without storage. */
const reviewGroups: ReadonlySet<string> = new Set(['authorization.k8s.io', 'authentication.k8s.io'])

/** The faults of one API server. Without faults, a request costs one comparison. */
export class FaultInjection {
  readonly host: Clock & Timers
  readonly watches = new Set<OpenWatch>()
  readonly #store: Store
  readonly #rules = new Set<Rule>()
  readonly #lags = new Set<Lag>()
  readonly #stalls = new Set<RequestMatch>()
  #outage: StorageOutage | undefined

  constructor({ host, store }: FaultContext) {
    this.host = host
    this.#store = store
  }

  /** Whether the storage does not respond. */
  get isStorageStopped(): boolean {
    return this.#outage !== undefined
  }

  /** Whether the watch cache may be behind the storage. */
  get hasLag(): boolean {
    return this.#lags.size > 0
  }

  /** The fault of a request; `undefined` for most. */
  of(request: () => FaultedRequest): RequestFault | undefined {
    if (this.#rules.size === 0 && this.#outage === undefined) return undefined
    const faulted = request()
    const effect = this.#outageEffect(faulted) ?? this.#takeRule(faulted)
    return effect && new RequestFault(effect, faulted, this.host)
  }

  /** The faults of a watch. It must be released after it has begun. */
  open(request: FaultedRequest): OpenWatch {
    return new OpenWatch(this, request)
  }

  addRule(rule: Rule): () => void {
    this.#rules.add(rule)
    return () => this.#rules.delete(rule)
  }

  /** Holds the events of watch caches from a revision on, that of now by default. */
  hold(match: RequestMatch, revision = this.#store.revision): () => void {
    return this.#addLag({ match, revision })
  }

  /** Delays the events of watch caches. */
  delay(match: RequestMatch, delayMs: number): () => void {
    return this.#addLag({ match, delayMs })
  }

  #addLag(lag: Lag): () => void {
    this.#lags.add(lag)
    return () => {
      this.#lags.delete(lag)
      this.#changed()
    }
  }

  addStall(match: RequestMatch): () => void {
    this.#stalls.add(match)
    this.#changed()
    return () => {
      this.#stalls.delete(match)
      this.#changed()
    }
  }

  stopStorage(outage: StorageOutage): () => void {
    this.#outage = outage
    return () => {
      this.#outage = undefined
    }
  }

  endWatches(match: RequestMatch, end: WatchEnd): void {
    for (const watch of [...this.watches]) {
      if (matches(match, watch.request)) watch.finish(end)
    }
  }

  clear(): void {
    this.#rules.clear()
    this.#lags.clear()
    this.#stalls.clear()
    this.#outage = undefined
    this.#changed()
  }

  isStalled(request: FaultedRequest): boolean {
    return this.#stalls.size > 0 && [...this.#stalls].some((match) => matches(match, request))
  }

  /** The newest revision that the watch cache shows to a request; usually everything. */
  newestVisible(request: FaultedRequest): number {
    if (this.#lags.size === 0) return Infinity
    let newest = Infinity
    for (const lag of this.#lagsOf(request)) {
      const revision =
        'revision' in lag ? lag.revision : this.#store.revisionAt(this.host.now() - lag.delayMs)
      newest = Math.min(newest, revision)
    }
    return newest
  }

  visibleInMs(request: FaultedRequest, eventMs: number): number | undefined {
    const lags = this.#lagsOf(request)
    const delays = lags.map((lag) => ('delayMs' in lag ? lag.delayMs : Infinity))
    const delayMs = Math.max(0, ...delays)
    return delayMs === Infinity ? undefined : Math.max(0, eventMs + delayMs - this.host.now())
  }

  #lagsOf(request: FaultedRequest): Lag[] {
    return [...this.#lags].filter(({ match }) => matches(match, request))
  }

  #takeRule(request: FaultedRequest): FaultEffect | undefined {
    for (const rule of this.#rules) {
      const { effect } = rule
      if (!matches(rule.match, request)) continue
      if (effect.type === 'answer' && !isLegal(effect.code, request)) continue
      rule.left -= 1
      if (rule.left <= 0) this.#rules.delete(rule)
      return effect
    }
    return undefined
  }

  /** Without storage, only watches and reads from the watch cache are answered. */
  #outageEffect({ verb, group, query }: FaultedRequest): FaultEffect | undefined {
    if (this.#outage === undefined || reviewGroups.has(group)) return undefined
    const { writesAfterMs, readsAfterMs } = this.#outage
    if (writes.has(verb)) {
      return { type: 'answer', code: 504, retryAfterSeconds: 1, afterMs: writesAfterMs }
    }
    const isCached = verb === 'watch' || query.get('resourceVersion') === '0'
    return isCached ? undefined : { type: 'lose-request', afterMs: readsAfterMs }
  }

  #changed(): void {
    for (const watch of [...this.watches]) watch.changed()
  }
}
