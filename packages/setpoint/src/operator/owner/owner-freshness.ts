import { type Key, keyOf, type KindCache } from '../../cache/index.ts'
import { compareRevisions } from '../../cache/store/revision.ts'
import type { Client } from '../../client/index.ts'
import { RetryLaterError, type Run } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { metadataOf } from '../../kinds/metadata-of.ts'
import type { OwnerState } from './owner-state.ts'

/** The dependencies of an `OwnerFreshness`. */
interface OwnerFreshnessOptions {
  readonly client: Client
  /** The cache of the owners. */
  readonly cache: KindCache
}

/** Questions about the owner of one reconcile. */
export interface FreshOwner {
  /** Throws a `RetryLaterError` if the owner may be older than the term of this leader. */
  readonly check: () => Promise<void>
  /** Asks the server whether the owner still has the generation that was observed. */
  readonly isCurrent: () => Promise<boolean>
}

/** The revisions of the owners in a watched namespace, or in all of them. */
type Revisions = ReadonlyMap<Key, string>

/**
 * Makes sure that a new leader does not act on owners that are older than its term. The watch of a
 * standby may be open and late. Then the cache shows a spec that the previous leader has replaced.
 * The term began at the revision of the Lease: a cache that has reached it is current. Until
 * then, before the first write, the revisions of all owners are read once from the server.
 */
export class OwnerFreshness {
  readonly #options: OwnerFreshnessOptions
  /** The revision at which the term began; `undefined` without leader election. */
  #since: string | undefined
  readonly #revisions = new Map<string, Promise<Revisions>>()

  constructor(options: OwnerFreshnessOptions) {
    this.#options = options
  }

  /** Begins a term. */
  begin(since: string | undefined): void {
    this.#since = since
  }

  /** The questions about an owner that a reconcile has read, and perhaps written. */
  of(owner: Pick<OwnerState, 'observed' | 'latest'>, run: Pick<Run, 'signal'>): FreshOwner {
    return {
      check: async () => this.#check(owner.latest, run),
      isCurrent: async () => this.#isCurrent(owner.observed, run),
    }
  }

  async #isCurrent({ metadata }: ApiResource, { signal }: Pick<Run, 'signal'>): Promise<boolean> {
    const { client, cache } = this.#options
    const live = (await client.find(cache.kind, metadata, { signal })) as ApiResource | undefined
    if (live === undefined || isTerminating(live)) return false
    const { uid, generation } = live.metadata
    return uid === metadata.uid && generation === metadata.generation
  }

  async #check(owner: ApiResource, { signal }: Pick<Run, 'signal'>): Promise<void> {
    const { client, cache } = this.#options
    const key = keyOf(owner.metadata)
    if (cache.isStartingOver(key)) {
      throw new RetryLaterError('the cluster was restored: its objects are listed again', {
        after: '1s',
      })
    }
    if (this.#since === undefined || cache.hasReached(key, this.#since)) {
      this.#revisions.clear()
      return
    }
    const { resourceVersion } = owner.metadata
    const listed = (await this.#listed(cache.watchedNamespace(key), signal)).get(key)
    if (listed !== undefined && compareRevisions(resourceVersion, listed) >= 0) return
    const live = await client.find(cache.kind, owner.metadata, { signal })
    if ((live as ApiResource | undefined)?.metadata.resourceVersion === resourceVersion) return
    throw new RetryLaterError('the cache is stale: the server has a newer state of the object', {
      after: '1s',
    })
  }

  /** One list for each watch and term. A failed one is repeated by the next reconcile. */
  async #listed(namespace: string, signal: AbortSignal): Promise<Revisions> {
    const known = this.#revisions.get(namespace) ?? this.#list(namespace, signal)
    this.#revisions.set(namespace, known)
    try {
      return await known
    } catch (error) {
      this.#revisions.delete(namespace)
      throw error
    }
  }

  async #list(namespace: string, signal: AbortSignal): Promise<Revisions> {
    const { client, cache } = this.#options
    const where = namespace === '' ? { signal } : { namespace, signal }
    const owners = (await client.listAll(metadataOf(cache.kind), where)) as ApiResource[]
    return new Map(owners.map(({ metadata }) => [keyOf(metadata), metadata.resourceVersion]))
  }
}
