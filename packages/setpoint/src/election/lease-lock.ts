import { isApiError } from '../client/index.ts'
import type { CompleteOptions } from './election-options.ts'
import { Lease, type LeaseSpec } from '../kinds/index.ts'
import { acquiredSpec, isReleased, releasedSpec, renewedSpec } from './lease-record.ts'

/** How often a release is tried: its first write may be late, and a second may meet somebody's edit. */
const releaseTriesMax = 3

/**
 * The Lease as a lock. Every write carries the revision it is based on, so that of several candidates one
 * succeeds. Whether a holder is still alive is judged by when this process saw its record change: neither
 * the times in the record nor the clocks of others matter.
 *
 * A record is ours when it has our identity and an acquire time that we wrote: two processes that were
 * given the same identity by mistake do not take each other's record for their own.
 */
export class LeaseLock {
  readonly #options: CompleteOptions
  /** The Lease as the server gave it last; `undefined` when what it has now is not known. */
  #known: Lease | undefined
  #seenRecord = ''
  #holder = ''
  /** Until when somebody else may be at work, whatever the Lease says. */
  #othersUntilMs = -Infinity
  /** Acquire times that we wrote, or may have written. */
  readonly #acquireTimes = new Set<string>()

  constructor(options: CompleteOptions) {
    this.#options = options
  }

  /** Who held it when it was last read or written; empty when nobody did. */
  get holder(): string {
    return this.#holder
  }

  /**
   * Tries to become the holder. Resolves to the time just before the write that succeeded, from which on
   * nobody else takes it for `leaseMs`; or to `undefined` when it is somebody else's. Throws when that
   * could not be found out, or when another write was faster.
   */
  async acquire(signal: AbortSignal): Promise<number | undefined> {
    const lease = await this.#read(signal)
    if (lease !== undefined && this.#isOurs(lease)) return this.#renewed(lease, signal)
    if (this.#options.host.monotonicMs() < this.#othersUntilMs) return undefined
    return this.#write({ lease, spec: acquiredSpec(this.#options, lease?.spec), signal })
  }

  /**
   * Stays the holder: the same as `acquire`, except that a record that is not ours is left alone at once,
   * and that a Lease that was deleted is made again as it was. Usually this is one request.
   */
  async renew(signal: AbortSignal): Promise<number | undefined> {
    const before = this.#known
    if (before !== undefined) {
      try {
        return await this.#renewed(before, signal)
      } catch (error) {
        if (!isApiError(error, 'API_CONFLICT') && !isApiError(error, 'API_NOT_FOUND')) throw error
      }
    }
    const lease = await this.#read(signal)
    if (lease !== undefined) {
      return this.#isOurs(lease) ? this.#renewed(lease, signal) : undefined
    }
    const spec =
      before === undefined
        ? acquiredSpec(this.#options, undefined)
        : renewedSpec(this.#options, before.spec)
    return this.#write({ lease, spec, signal })
  }

  /** Gives it up if it is ours, also when the answer to our last write never came. */
  async release(signal: AbortSignal): Promise<void> {
    if (this.#acquireTimes.size === 0) return
    for (let tries = 1; ; tries += 1) {
      const lease = this.#known ?? (await this.#read(signal))
      if (lease === undefined || !this.#isOurs(lease)) return
      try {
        await this.#write({ lease, spec: releasedSpec(this.#options, lease.spec), signal })
        return
      } catch (error) {
        if (tries === releaseTriesMax) throw error
      }
    }
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, name, namespace } = this.#options
    const lease = await client.find(Lease, { name, namespace }, this.#call(signal))
    if (lease === undefined) {
      this.#known = undefined
      // Whoever held it does not know yet that it is gone: `#othersUntilMs` stays.
      this.#holder = ''
      this.#seenRecord = ''
    } else {
      this.#see(lease)
    }
    return this.#known
  }

  #renewed(lease: Lease, signal: AbortSignal): Promise<number> {
    return this.#write({ lease, spec: renewedSpec(this.#options, lease.spec), signal })
  }

  async #write(change: {
    readonly lease: Lease | undefined
    readonly spec: LeaseSpec
    readonly signal: AbortSignal
  }): Promise<number> {
    const { client, host, name, namespace } = this.#options
    const { lease, spec, signal } = change
    const { acquireTime = '' } = spec
    const isNew = spec.holderIdentity !== '' && !this.#acquireTimes.has(acquireTime)
    const startMs = host.monotonicMs()
    // Before the answer: the write may happen although none comes.
    if (isNew) this.#acquireTimes.add(acquireTime)
    this.#known = undefined
    try {
      const call = this.#call(signal)
      const written =
        lease === undefined
          ? await client.create(Lease, { metadata: { name, namespace }, spec }, call)
          : await client.replace(Lease, { ...lease, spec }, call)
      this.#acquireTimes.clear()
      if (spec.holderIdentity !== '') this.#acquireTimes.add(acquireTime)
      this.#see(written)
    } catch (error) {
      if (isNew && isOutrun(error)) this.#acquireTimes.delete(acquireTime)
      throw error
    }
    return startMs
  }

  /** Takes in what the server has. */
  #see(lease: Lease): void {
    // A Lease can be stored without a spec, whatever the type says.
    const spec: LeaseSpec = (lease as { spec?: LeaseSpec }).spec ?? {}
    this.#known = { ...lease, spec }
    this.#holder = spec.holderIdentity ?? ''
    const record = JSON.stringify(spec)
    if (record === this.#seenRecord) return
    this.#seenRecord = record
    if (this.#isOurs(this.#known) || isReleased(spec)) {
      this.#othersUntilMs = -Infinity
    } else if (this.#holder !== '') {
      // At least our own time: whoever shortened the record by hand did not tell its holder.
      const seconds = spec.leaseDurationSeconds ?? 0
      const waitMs = Math.max(this.#options.leaseMs, seconds * 1000)
      this.#othersUntilMs = this.#options.host.monotonicMs() + waitMs
    }
  }

  #isOurs({ spec }: Lease): boolean {
    return (
      spec.holderIdentity === this.#options.identity &&
      this.#acquireTimes.has(spec.acquireTime ?? '')
    )
  }

  /** A call that hangs must leave time for another one. */
  #call(signal: AbortSignal): { readonly signal: AbortSignal; readonly timeout: number } {
    return { signal, timeout: this.#options.renewMs / 2 }
  }
}

/** Whether a write failed because another one was faster. */
export function isOutrun(error: unknown): boolean {
  return isApiError(error, 'API_CONFLICT') || isApiError(error, 'API_ALREADY_EXISTS')
}
