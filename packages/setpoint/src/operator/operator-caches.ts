import type { Cache, CacheScope, CacheShare, KindCache } from '../cache/index.ts'
import { SetpointError } from '../errors/index.ts'
import type { Kind } from '../kinds/kind.ts'
import type { ApiResource, OperatorDeclaration, WatchDeclaration } from './operator-declaration.ts'
import { ownerUids } from './ownership.ts'

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
  readonly #byWatch = new Map<WatchDeclaration, KindCache>()

  constructor(declaration: OperatorDeclaration, cache: Cache) {
    this.#declaration = declaration
    this.#cache = cache
    const { kind, options, watches, writes } = declaration
    this.resource = this.#openOnce(kind, { labelSelector: options.labelSelector })
    for (const owned of this.ownedKinds()) this.#openOnce(owned).addIndex(ownerIndex, ownerUids)
    for (const written of writes) this.#openOnce(written)
    for (const watch of watches) this.#byWatch.set(watch, this.#openWatch(watch))
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
    const cache = this.#byKind.get(nameOf(kind))
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
    return [...new Map(kinds.map((kind) => [nameOf(kind), kind])).values()]
  }

  /** What an object owns, of a kind. */
  owned(kind: Kind, owner: ApiResource): ApiResource[] {
    return [...this.of(kind).indexed(ownerIndex, owner.metadata.uid)] as ApiResource[]
  }

  /** Gives the caches back. */
  dispose(): void {
    for (const share of this.#shares.splice(0)) share[Symbol.dispose]()
  }

  /** A watch that wants fewer objects than another declaration of its kind gets a view of its own. */
  #openWatch({ kind, labelSelector, fieldSelector }: WatchDeclaration): KindCache {
    const isNarrow = labelSelector !== undefined || fieldSelector !== undefined
    if (isNarrow && this.#byKind.has(nameOf(kind))) {
      return this.#open(kind, { labelSelector, fieldSelector })
    }
    return this.#openOnce(kind, { labelSelector, fieldSelector })
  }

  #openOnce(kind: Kind, scope: CacheScope = {}): KindCache {
    const name = nameOf(kind)
    const known = this.#byKind.get(name)
    if (known !== undefined) return known
    const cache = this.#open(kind, scope)
    this.#byKind.set(name, cache)
    return cache
  }

  #open(kind: Kind, scope: CacheScope): KindCache {
    const { namespaces } = this.#declaration.options
    const share = this.#cache.open(kind, { ...scope, namespaces })
    this.#shares.push(share)
    return share.cache
  }
}

function nameOf({ apiVersion, plural, part }: Kind): string {
  return `${apiVersion} ${plural} ${part ?? 'whole'}`
}
