import type { Cache, CacheScope, CacheShare, KindCache } from '../../cache/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { kindKey } from '../../kinds/kind-key.ts'
import type {
  ApiResource,
  OperatorDeclaration,
  WatchDeclaration,
} from '../declare/operator-declaration.ts'
import { ownerMark, ownerMarks } from '../owner/ownership.ts'

/** The index that finds what an object owns. */
const ownerIndex = 'owner uid'

/** What an operator sees of the cluster: the kinds it declared, and nothing else. */
export class OperatorCaches {
  /** The objects it serves. */
  readonly resource: KindCache
  readonly #declaration: OperatorDeclaration
  readonly #cache: Cache
  /** One share for each kind, and one for each narrower view of it. */
  readonly #shares: CacheShare<Kind>[] = []
  readonly #byKind = new Map<string, KindCache>()
  /** The same by the very kind that was asked for. */
  readonly #known = new Map<Kind, KindCache>()
  /** Kinds that are seen in all namespaces, although the operator works in some only. */
  readonly #anywhere = new Set<string>()
  readonly #byWatch = new Map<WatchDeclaration, KindCache>()

  constructor(declaration: OperatorDeclaration, cache: Cache) {
    this.#declaration = declaration
    this.#cache = cache
    const { kind, options, watches, writes } = declaration
    // Who wants all objects of a kind comes first: what others see of it must not be less.
    for (const owned of this.ownedKinds()) this.#openOwned(owned).addIndex(ownerIndex, ownerMarks)
    for (const written of writes) this.#openOnce(written)
    for (const watch of watches.filter((one) => !isNarrow(one))) this.#openOnce(watch.kind)
    this.resource = this.#openView({ kind, labelSelector: options.labelSelector })
    for (const watch of watches) this.#byWatch.set(watch, this.#openView(watch))
  }

  /** Resolves when everything that exists is in them: at first, and again after a namespace was added. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    if (this.#shares.every(({ cache }) => cache.isSynced)) return
    await Promise.all(this.#shares.map(({ cache }) => cache.whenSynced(signal)))
  }

  /** The objects of a declared kind. */
  of(kind: Kind): KindCache {
    const known = this.#known.get(kind)
    if (known !== undefined) return known
    const cache = this.#byKind.get(kindKey(kind))
    if (cache !== undefined) {
      this.#known.set(kind, cache)
      return cache
    }
    throw new SetpointError(
      'OPERATOR_INVALID',
      `${this.#declaration.options.name} did not declare that it uses ${kind.kind}`,
      { hint: `add .owns(${kind.kind}) or .watch(${kind.kind}, ...) to the operator` },
    )
  }

  /** The objects that a watch is about. */
  ofWatch(watch: WatchDeclaration): KindCache {
    return this.#byWatch.get(watch) ?? this.of(watch.kind)
  }

  /** The kinds whose objects belong to the operator's. */
  ownedKinds(): Kind[] {
    const { children, owns } = this.#declaration
    const kinds = [...children.map(({ kind }) => kind), ...owns]
    return [...new Map(kinds.map((kind) => [kindKey(kind), kind])).values()]
  }

  /** What an object owns, of a kind. */
  owned(kind: Kind, owner: ApiResource): ApiResource[] {
    const cache = this.of(kind)
    const found = [...cache.indexed(ownerIndex, owner.metadata.uid)] as ApiResource[]
    for (const object of cache.indexed(ownerIndex, ownerMark(owner)) as Iterable<ApiResource>) {
      if (!found.some(({ metadata }) => metadata.uid === object.metadata.uid)) found.push(object)
    }
    return found
  }

  /** Gives the caches back. */
  dispose(): void {
    for (const share of this.#shares.splice(0)) share[Symbol.dispose]()
  }

  /** Who wants fewer objects than another declaration of the kind, or less of them, gets a view of its own. */
  #openView(view: View): KindCache {
    const { kind, labelSelector, fieldSelector, transform } = view
    const scope = { labelSelector, fieldSelector, transform }
    const isLess = isNarrow(view) || this.#anywhere.has(kindKey(kind))
    return isLess && this.#byKind.has(kindKey(kind))
      ? this.#open(kind, scope)
      : this.#openOnce(kind, scope)
  }

  /** Children that live elsewhere are not only where their owners are. */
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

/** Which objects of a kind somebody wants to see, and what of them. */
interface View extends Pick<CacheScope, 'labelSelector' | 'fieldSelector' | 'transform'> {
  readonly kind: Kind
}

function isNarrow({ labelSelector, fieldSelector, transform }: View): boolean {
  return labelSelector !== undefined || fieldSelector !== undefined || transform !== undefined
}
