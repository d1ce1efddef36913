import type { FindParamKind } from '../../admission/index.ts'
import { readObject, type Registry } from '../../api/index.ts'
import type { Store } from '../../store/index.ts'

/** The access of admission policies to the objects that they use as parameters. */
export function paramKinds(store: Store, registry: Registry): FindParamKind {
  return (apiVersion, kind) => {
    const resource = registry
      .all()
      .find((each) => each.apiVersion === apiVersion && each.kind === kind)
    if (resource === undefined) return undefined
    return {
      isNamespaced: resource.namespaced,
      get: (key) => {
        const stored = store.get(resource.bucket, key)
        return stored && readObject(resource, stored)
      },
      *list(prefix) {
        for (const stored of store.list(resource.bucket, prefix)) yield readObject(resource, stored)
      },
    }
  }
}
