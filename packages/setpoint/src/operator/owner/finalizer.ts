import { type Key, keyOf, type KindCache } from '../../cache/index.ts'
import { type Client, isApiError } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { defaultName } from '../declare/default-name.ts'
import { isCrossNamespace } from '../declare/is-cross-namespace.ts'
import type { ChildDeclaration, OperatorDeclaration } from '../declare/operator-declaration.ts'

/** The finalizer that keeps an object until the operator has cleaned up. */
export class Finalizer {
  readonly name: string
  readonly #client: Client
  readonly #cache: KindCache
  /** The uids of terminating objects that this process released, until the cache removes them. */
  readonly #released = new Map<Key, string>()

  constructor({ kind, options }: OperatorDeclaration, client: Client, cache: KindCache) {
    // Operators of the same resource must not remove each other's finalizer.
    const own = options.name === defaultName(kind) ? `setpoint-${kind.plural}` : options.name
    // The group of a built-in kind is not a domain that this operator may use.
    const isOwnDomain = kind.group.includes('.') && !kind.group.endsWith('.k8s.io')
    this.name = `${isOwnDomain ? kind.group : 'setpoint.dev'}/${own}`
    this.#client = client
    this.#cache = cache
  }

  /**
   * Whether it is on an object. The response to the write that removes the last finalizer has the
   * old revision, so a stale cache may show an object that was released.
   */
  isOn({ metadata }: ApiResource): boolean {
    const isReleased = this.#released.get(keyOf(metadata)) === metadata.uid
    return !isReleased && metadata.finalizers?.includes(this.name) === true
  }

  /** Adds it before anything is created that needs a cleanup. Returns whether it was missing. */
  async add(owner: ApiResource, run: Run): Promise<boolean> {
    if (this.isOn(owner)) return false
    await this.#write(owner, [...(owner.metadata.finalizers ?? []), this.name], run)
    return true
  }

  /**
   * Removes it, after everything else. Other controllers may remove theirs at the same time. A
   * conflict is retried here, because a new reconcile would run the cleanup again.
   */
  async remove(owner: ApiResource, run: Run): Promise<void> {
    for (let live: ApiResource | undefined = owner; live !== undefined && this.isOn(live);) {
      const others = (live.metadata.finalizers ?? []).filter((name) => name !== this.name)
      try {
        await this.#write(live, others, run)
        if (isTerminating(owner)) this.#released.set(keyOf(owner.metadata), owner.metadata.uid)
        return
      } catch (error) {
        if (!isApiError(error, 'API_CONFLICT', 'API_NOT_FOUND')) throw error
        live = await this.#live(owner, run)
      }
    }
  }

  /** Forgets a deleted object. */
  forget(key: Key): void {
    this.#released.delete(key)
  }

  async #live(owner: ApiResource, run: Run): Promise<ApiResource | undefined> {
    const options = { signal: run.signal }
    const live = await this.#client.find(this.#cache.kind, owner.metadata, options)
    return (live as ApiResource | undefined)?.metadata.uid === owner.metadata.uid
      ? (live as ApiResource)
      : undefined
  }

  /** The optimistic lock keeps a finalizer that another controller adds at the same time. */
  async #write(owner: ApiResource, finalizers: readonly string[], run: Run): Promise<void> {
    const { resourceVersion } = owner.metadata
    const written = await this.#client.patch(this.#cache.kind, owner.metadata, {
      merge: { metadata: { resourceVersion, finalizers } },
      signal: run.signal,
    })
    run.wrote(this.#cache, written as ApiResource, ['metadata.finalizers'])
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
