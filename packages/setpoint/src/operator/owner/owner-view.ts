import { keyOf, type KindCache } from '../../cache/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import { asSelector } from '../../kinds/label-selector.ts'
import type { ObjectsWhere, OwnerView } from '../declare/contexts.ts'

/** The caches of the declared kinds, seen from an owner: a name alone means the owner's namespace. */
export function ownerView(
  { metadata }: ApiResource,
  cacheOf: (kind: Kind) => KindCache,
): OwnerView {
  const keyFor = (kind: Kind, key: string): string =>
    kind.scope === 'Cluster' || key.includes('/')
      ? key
      : keyOf({ namespace: metadata.namespace, name: key })
  return {
    get: (kind, key) => cacheOf(kind).get(keyFor(kind, key)) as never,
    list: (kind, where) => listObjects(cacheOf(kind), where) as never,
  }
}

/** The objects of a cache in a namespace, or with certain labels. */
export function listObjects(cache: KindCache, where: string | ObjectsWhere | undefined): unknown[] {
  const { namespace, labels } = typeof where === 'object' ? where : { namespace: where }
  return labels === undefined
    ? [...cache.list(namespace)]
    : cache.select(asSelector(labels), namespace)
}
