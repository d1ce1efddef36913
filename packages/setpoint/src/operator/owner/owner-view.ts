import { keyOf, type KindCache } from '../../cache/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import { asSelector } from '../../kinds/label-selector.ts'
import type { CacheView } from '../declare/contexts.ts'

/** The caches of the kinds that an operator declares. */
export interface KindCaches {
  /** The objects of a kind. */
  of(kind: Kind): KindCache
  /** The objects of a kind that belong to an owner. */
  owned(kind: Kind, owner: ApiResource): ApiResource[]
}

/** The cached objects, seen from an owner. A name alone is a name in the owner's namespace. */
export function ownerView(
  namespace: string | undefined,
  caches: Pick<KindCaches, 'of'>,
): CacheView {
  const keyFor = (kind: Kind, key: string): string =>
    kind.scope === 'Cluster' || key.includes('/') ? key : keyOf({ namespace, name: key })
  return {
    get: (kind, key) => caches.of(kind).get(keyFor(kind, key)) as never,
    list: (kind, where) => {
      const cache = caches.of(kind)
      const { namespace: from, labels } = typeof where === 'object' ? where : { namespace: where }
      const found = labels === undefined ? cache.list(from) : cache.select(asSelector(labels), from)
      return [...found] as never
    },
  }
}
