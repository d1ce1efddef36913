import type { Cache, CacheScope, CacheShare, KindCache } from '../../cache/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { kindKey } from '../../kinds/kind-key.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { OperatorDeclaration, WatchDeclaration } from '../declare/operator-declaration.ts'
import { ownerName, ownersOf } from '../owner/owner-reference.ts'
import type { KindCaches } from '../owner/owner-view.ts'
import type { FollowedKinds } from './followed-kinds.ts'

/** The index of objects by their owners. */
const ownerIndex = 'owner uid'

/** The caches of the kinds that an operator declared. */
export class OperatorCaches implements KindCaches {
  /** The objects it reconciles. */
  readonly resource: KindCache
  readonly #declaration: OperatorDeclaration
  readonly #cache: Cache
  readonly #followed: FollowedKinds
  /** One for each kind, and one for each narrower view of a kind. */
  readonly #shares: CacheShare<Kind>[] = []
  readonly #byKind = new Map<string, KindCache>()
  /** By the kind value, so that a lookup does not build a name. */
  readonly #known = new Map<Kind, KindCache>()
  /** Kinds that are cached in all namespaces, although the operator is restricted to some. */
  readonly #anywhere = new Set<string>()
  readonly #byWatch = new Map<WatchDeclaration, KindCache>()

  constructor(declaration: OperatorDeclaration, cache: Cache, followed: FollowedKinds) {
    this.#declaration = declaration
    this.#followed = followed
    this.#cache = cache
    const { kind, options, watches, writes } = declaration
    // The declarations that need all objects of a kind come first, because a narrower one must not
    // restrict them.
    for (const owned of this.ownedKinds()) this.#openOwned(owned).addIndex(ownerIndex, ownersOf)
    for (const written of writes) this.#openOnce(written)
    for (const watch of watches.filter((one) => !isNarrow(one))) this.#openOnce(watch.kind)
    this.resource = this.#openView({ kind, labelSelector: options.labelSelector })
    for (const watch of watches) this.#byWatch.set(watch, this.#openView(watch))
  }

  /** Resolves when all caches are synced, at the start and after a namespace was added. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    if (this.#shares.every(({ cache }) => cache.isSynced)) return
    await Promise.all(this.#shares.map(({ cache }) => cache.whenSynced(signal)))
  }

  of(kind: Kind): KindCache {
    const known = this.#known.get(kind)
    if (known !== undefined) return known
    const cache = this.#byKind.get(kindKey(kind))
    if (cache !== undefined) {
      this.#known.set(kind, cache)
      return cache
    }
    const dynamic = this.#followed.of(kind)
    if (dynamic !== undefined) return dynamic
    throw new SetpointError(
      'OPERATOR_INVALID',
      `${this.#declaration.options.name} does not declare ${kind.kind}`,
      {
        hint:
          'isDynamic' in kind
            ? 'call ctx.follow before other calls with a kind that is chosen at run time'
            : `add .owns(${kind.kind}) or .watch(${kind.kind}, ...) to the operator`,
      },
    )
  }

  /** The cache of a `.watch`. */
  ofWatch(watch: WatchDeclaration): KindCache {
    return this.#byWatch.get(watch) ?? this.of(watch.kind)
  }

  /** The kinds of children and of `.owns`. */
  ownedKinds(): Kind[] {
    const { children, owns } = this.#declaration
    const kinds = [...children.map(({ kind }) => kind), ...owns]
    return [...new Map(kinds.map((kind) => [kindKey(kind), kind])).values()]
  }

  owned(kind: Kind, owner: ApiResource): ApiResource[] {
    const cache = this.of(kind)
    const found = [...cache.indexed(ownerIndex, owner.metadata.uid)] as ApiResource[]
    for (const object of cache.indexed(ownerIndex, ownerName(owner)) as Iterable<ApiResource>) {
      if (!found.some(({ metadata }) => metadata.uid === object.metadata.uid)) found.push(object)
    }
    return found
  }

  /** Releases the caches. */
  dispose(): void {
    for (const share of this.#shares.splice(0)) share[Symbol.dispose]()
  }

  /** A declaration that needs fewer objects or fields of a kind than others has its own cache. */
  #openView(view: View): KindCache {
    const { kind, labelSelector, fieldSelector, transform } = view
    const scope = { labelSelector, fieldSelector, transform }
    const isLess = isNarrow(view) || this.#anywhere.has(kindKey(kind))
    return isLess && this.#byKind.has(kindKey(kind))
      ? this.#open(kind, scope)
      : this.#openOnce(kind, scope)
  }

  /** Children in other namespaces may be outside the operator's namespaces. */
  #openOwned(kind: Kind): KindCache {
    const { children, options } = this.#declaration
    const isAnywhere =
      options.namespaces !== undefined &&
      children.some(
        (child) => child.crossNamespace === true && kindKey(child.kind) === kindKey(kind),
      )
    if (!isAnywhere) return this.#openOnce(kind)
    this.#anywhere.add(kindKey(kind))
    return this.#openOnce(kind, { namespaces: undefined })
  }

  #openOnce(kind: Kind, scope: CacheScope = {}): KindCache {
    const name = kindKey(kind)
    const known = this.#byKind.get(name)
    if (known !== undefined) return known
    const cache = this.#open(kind, scope)
    this.#byKind.set(name, cache)
    return cache
  }

  #open(kind: Kind, scope: CacheScope): KindCache {
    const { namespaces } = this.#declaration.options
    const share = this.#cache.open(kind, { namespaces, ...scope })
    this.#shares.push(share)
    return share.cache
  }
}

/** The objects of a kind that a declaration needs, and the part of them that the cache keeps. */
interface View extends Pick<CacheScope, 'labelSelector' | 'fieldSelector' | 'transform'> {
  readonly kind: Kind
}

function isNarrow({ labelSelector, fieldSelector, transform }: View): boolean {
  return labelSelector !== undefined || fieldSelector !== undefined || transform !== undefined
}
