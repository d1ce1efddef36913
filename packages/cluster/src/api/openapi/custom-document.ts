import type { JsonObject } from 'setpoint/schema'
import type { ServedVersion } from '../resources/registry.ts'
import { customPaths } from './custom-paths.ts'
import { customSchemas } from './custom-schemas.ts'
import { definitionNames } from './definition-names.ts'
import { sharedDefinitions } from './shared-definitions.ts'

const memo = new WeakMap<ServedVersion, JsonObject>()

/**
 * The OpenAPI document of a version of custom resources. `kubectl explain` reads it, and kubectl
 * learns from it that the server validates fields. Kubernetes' descriptions of its own fields are
 * left out, as in the documents of built-in resources. Each document is cached, because the index
 * of documents needs its hash.
 */
export function customDocument(group: string, served: ServedVersion): JsonObject {
  let document = memo.get(served)
  if (document === undefined) {
    document = makeDocument(group, served)
    memo.set(served, document)
  }
  return document
}

function makeDocument(group: string, { resources }: ServedVersion): JsonObject {
  const hasScale = resources.some(({ subresources }) => subresources.has('scale'))
  const schemas = resources.flatMap((resource) =>
    Object.entries(customSchemas(resource, definitionNames(group, resource))),
  )
  const paths = resources.flatMap((resource) =>
    Object.entries(customPaths(resource, definitionNames(group, resource))),
  )
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: Object.fromEntries(paths.sort(byName)),
    components: {
      schemas: Object.fromEntries([...schemas.sort(byName), ...sharedDefinitions({ hasScale })]),
    },
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
