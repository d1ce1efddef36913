import { type Key, keyOf, type KindCache } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { isCrossNamespace } from '../declare/is-cross-namespace.ts'
import type { ChildDeclaration, OperatorDeclaration } from '../declare/operator-declaration.ts'
import { identityOf } from '../declare/operator-identity.ts'

/** The dependencies of a `Finalizer`. */
interface FinalizerOptions {
  readonly declaration: OperatorDeclaration
  readonly client: Client
  readonly fieldManager: string
  /** The cache of the owners. */
  readonly cache: KindCache
}

/** The finalizer that keeps an object until the operator has cleaned up. */
export class Finalizer {
  readonly name: string
  readonly #former: readonly string[]
  readonly #options: FinalizerOptions
  /** The uids of terminating objects that this process cleaned up, until the cache removes them. */
  readonly #cleanedUp = new Map<Key, string>()
  /** The uids of those among them that it released. */
  readonly #released = new Map<Key, string>()

  constructor(options: FinalizerOptions) {
    const {
      kind,
      options: { name, formerNames = [] },
    } = options.declaration
    this.name = identityOf(kind, name).finalizer
    this.#former = formerNames.map((former) => identityOf(kind, former).finalizer)
    this.#options = options
  }

  /**
   * Whether it is on an object. The response to the write that removes the last finalizer has the
   * old revision, so a stale cache may show an object that was released.
   */
  isOn({ metadata }: ApiResource): boolean {
    const isReleased = this.#released.get(keyOf(metadata)) === metadata.uid
    return !isReleased && metadata.finalizers?.some((name) => this.#isOurs(name)) === true
  }

  /**
   * Whether the cleanups of a terminating object have succeeded in this process. If the write that
   * removes the finalizer fails, the next reconcile only repeats that write.
   */
  isCleanedUp({ metadata }: ApiResource): boolean {
    return this.#cleanedUp.get(keyOf(metadata)) === metadata.uid
  }

  /** The cleanups of a terminating object have succeeded. */
  recordCleanup({ metadata }: ApiResource): void {
    this.#cleanedUp.set(keyOf(metadata), metadata.uid)
  }

  /** Adds it before anything is created that needs a cleanup. Returns whether it was missing. */
  async add(owner: ApiResource, run: Run): Promise<boolean> {
    const { finalizers = [] } = owner.metadata
    if (finalizers.includes(this.name)) return false
    await this.#write(owner, [...this.#others(owner), this.name], run)
    return true
  }

  /**
   * Removes it, after everything else. Other controllers may remove theirs at the same time. A
   * conflict is retried here, because a new reconcile would run the cleanup again.
   */
  async remove(owner: ApiResource, run: Run): Promise<void> {
    for (let live: ApiResource | undefined = owner; live !== undefined && this.isOn(live);) {
      try {
        await this.#write(live, this.#others(live), run)
        if (isTerminating(owner)) this.#released.set(keyOf(owner.metadata), owner.metadata.uid)
        return
      } catch (error) {
        if (!isApiError(error, 'API_CONFLICT', 'API_NOT_FOUND')) throw error
        live = await this.#live(owner, run)
      }
    }
  }

  /**
   * Removes it from an object that is not deleted and no longer needs it. After a conflict the next
   * reconcile decides again, because the object may need it now.
   */
  async release(owner: ApiResource, run: Run): Promise<void> {
    await this.#write(owner, this.#others(owner), run)
  }

  /** Forgets a deleted object. */
  forget(key: Key): void {
    this.#cleanedUp.delete(key)
    this.#released.delete(key)
  }

  #isOurs(name: string): boolean {
    return name === this.name || this.#former.includes(name)
  }

  /** The finalizers of other controllers. */
  #others({ metadata }: ApiResource): string[] {
    return (metadata.finalizers ?? []).filter((name) => !this.#isOurs(name))
  }

  async #live(owner: ApiResource, run: Run): Promise<ApiResource | undefined> {
    const { client, cache } = this.#options
    const live = await client.find(cache.kind, owner.metadata, { signal: run.signal })
    return (live as ApiResource | undefined)?.metadata.uid === owner.metadata.uid
      ? (live as ApiResource)
      : undefined
  }

  /** The optimistic lock keeps a finalizer that another controller adds at the same time. */
  async #write(owner: ApiResource, finalizers: readonly string[], run: Run): Promise<void> {
    const { client, cache, fieldManager } = this.#options
    const { resourceVersion } = owner.metadata
    const written = await client.patch(cache.kind, owner.metadata, {
      merge: { metadata: { resourceVersion, finalizers } },
      fieldManager,
      signal: run.signal,
    })
    run.wrote(cache, written as ApiResource, ['metadata.finalizers'])
  }
}

/** Whether the operator has to clean up before an object is deleted. */
export function needsFinalizer({
  kind,
  children,
  cleanUps,
  handlers,
}: OperatorDeclaration): boolean {
  const isLeft = (child: ChildDeclaration): boolean =>
    child.deletion !== 'retain' && (child.deletion !== undefined || isCrossNamespace(child, kind))
  const hasCleanup = cleanUps.length > 0 || handlers.some(({ on }) => on === 'daemon')
  return hasCleanup || children.some(isLeft)
}
