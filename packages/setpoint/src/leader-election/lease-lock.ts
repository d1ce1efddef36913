import { isApiError } from '../client/index.ts'
import type { CompleteOptions } from './election-options.ts'
import { Lease, type LeaseSpec } from '../kinds/index.ts'
import { acquiredSpec, isReleased, releasedSpec, renewedSpec } from './lease-record.ts'

/**
 * How often a release is tried: the first write may have an unknown outcome, the second may
 * conflict with an edit.
 */
const releaseTriesMax = 3

/**
 * The Lease as a lock. Every write uses an optimistic lock, so that one of several candidates
 * succeeds. A holder counts as alive while this process sees its record change: neither the times
 * in the record nor the clocks of other machines matter.
 *
 * A record is ours when it has our identity and an acquire time that we wrote: two processes with
 * the same identity by mistake do not mistake each other's record for their own.
 */
export class LeaseLock {
  readonly #options: CompleteOptions
  /** The Lease as the server returned it last; `undefined` when its current state is not known. */
  #known: Lease | undefined
  #seenRecord = ''
  #holder = ''
  /** Until when another replica may be working, whatever the Lease contains. */
  #othersUntilMs = -Infinity
  /** Acquire times that we wrote, or may have written. */
  readonly #acquireTimes = new Set<string>()

  constructor(options: CompleteOptions) {
    this.#options = options
  }

  /** The holder when the Lease was last read or written; empty when there was none. */
  get holder(): string {
    return this.#holder
  }

  /** The revision of the Lease when it was last read or written. */
  get revision(): string | undefined {
    return this.#known?.metadata.resourceVersion
  }

  /**
   * Tries to become the holder. Resolves to the time just before the successful write: no other
   * replica acquires the Lease for `leaseMs` from then. Resolves to `undefined` when another
   * replica holds it. Throws when the state is unknown, or after a conflict.
   */
  async acquire(signal: AbortSignal): Promise<number | undefined> {
    const lease = await this.#read(signal)
    if (lease !== undefined && this.#isOurs(lease)) return this.#renewed(lease, signal)
    if (this.#options.host.monotonicMs() < this.#othersUntilMs) return undefined
    return this.#write({ lease, spec: acquiredSpec(this.#options, lease?.spec), signal })
  }

  /**
   * Stays the holder: like `acquire`, but does not wait for the record of another holder to expire,
   * and recreates a deleted Lease as it was. Usually this is one request.
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

  /** Releases the Lease if it is ours, even after a write with an unknown outcome. */
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
      // The previous holder does not know yet that the Lease is deleted: `#othersUntilMs` stays.
      this.#holder = ''
      this.#seenRecord = ''
    } else {
      this.#record(lease)
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
    // Before the response: the write may succeed although its response is lost.
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
      this.#record(written)
    } catch (error) {
      if (isNew && isWriteConflict(error)) this.#acquireTimes.delete(acquireTime)
      throw error
    }
    return startMs
  }

  /** Records the state of the Lease on the server. */
  #record(lease: Lease): void {
    // A server stores a Lease without a spec, although the type requires it.
    const spec: LeaseSpec = (lease as { spec?: LeaseSpec }).spec ?? {}
    this.#known = { ...lease, spec }
    this.#holder = spec.holderIdentity ?? ''
    const record = JSON.stringify(spec)
    if (record === this.#seenRecord) return
    this.#seenRecord = record
    if (this.#isOurs(this.#known) || isReleased(spec)) {
      this.#othersUntilMs = -Infinity
    } else if (this.#holder !== '') {
      // At least our own duration: an edit that shortens the record does not reach its holder.
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

/** Whether a write failed because another one came first. */
export function isWriteConflict(error: unknown): boolean {
  return isApiError(error, 'API_CONFLICT') || isApiError(error, 'API_ALREADY_EXISTS')
}
