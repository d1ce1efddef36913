import type { Registry } from '../api/index.ts'
import type { Store } from '../store/index.ts'
import type { KindsInUse } from '../controllers/index.ts'

/** Reads from the store which built-in kinds have objects. */
export function kindsInUse(store: Store, registry: Registry): KindsInUse {
  const bucketOf: (kind: Parameters<KindsInUse['has']>[0]) => string = (kind) =>
    registry.find(kind.group, kind.version, kind.plural)?.bucket ?? ''
  return {
    has: (kind) => store.count(bucketOf(kind)) > 0,
    onFirst: (kind, run) => store.onNext(bucketOf(kind), run),
  }
}
