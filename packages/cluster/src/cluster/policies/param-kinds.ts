import type { FindParamKind } from '../../admission/index.ts'
import { readConverted, type Registry } from '../../api/index.ts'
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
      get: async (key) => {
        const stored = store.get(resource.bucket, key)
        return stored && readConverted(resource, stored)
      },
      async *list(prefix) {
        for (const stored of [...store.list(resource.bucket, prefix)]) {
          yield await readConverted(resource, stored)
        }
      },
    }
  }
}
