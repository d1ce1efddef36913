import type { JsonObject } from 'setpoint/schema'
import type { ServedResource } from '../resources/served-resource.ts'
import {
  operation,
  parameter,
  prettyListQueries,
  type OperationTarget,
} from './custom-operations.ts'
import { scaleDefinition, type DefinitionNames } from './definition-names.ts'

const pretty = parameter('pretty', 'query')
const name = parameter('name', 'path')
const namespace = parameter('namespace', 'path')

/** The paths of a custom resource with their operations. */
export function customPaths(
  resource: ServedResource,
  names: DefinitionNames,
): Record<string, JsonObject> {
  const { group, version, plural, kind, namespaced } = resource
  const root = `/apis/${group}/${version}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const places = namespaced ? [namespace, pretty] : [pretty]
  const suffix = namespaced ? `Namespaced${kind}` : kind
  const one: OperationTarget = { resource, suffix, definition: names.kind }
  const all = namespaced ? { [`${root}/${plural}`]: allNamespacesPath(resource, names) } : {}
  return {
    ...all,
    [collection]: {
      get: operation('list', { ...one, definition: names.list }),
      post: operation('create', one),
      delete: operation('deleteCollection', one),
      parameters: places,
    },
    [`${collection}/{name}`]: {
      ...readAndWrite(one),
      delete: operation('delete', one),
      parameters: [name, ...places],
    },
    ...subresourcePaths(one, { path: `${collection}/{name}`, parameters: [name, ...places] }),
  }
}

/** Lists over all namespaces; there the query parameters belong to the path. */
function allNamespacesPath(resource: ServedResource, names: DefinitionNames): JsonObject {
  const suffix = `${resource.kind}ForAllNamespaces`
  const target = { resource, suffix, definition: names.list, withoutQueries: true }
  return { get: operation('list', target), parameters: prettyListQueries }
}

function readAndWrite(target: OperationTarget): JsonObject {
  return {
    get: operation('read', target),
    put: operation('replace', target),
    patch: operation('patch', target),
  }
}

function subresourcePaths(
  one: OperationTarget,
  { path, parameters }: { readonly path: string; readonly parameters: JsonObject[] },
): Record<string, JsonObject> {
  const definitions = { status: one.definition, scale: scaleDefinition }
  return Object.fromEntries(
    Object.entries(definitions)
      .filter(([subresource]) => one.resource.subresources.has(subresource))
      .map(([subresource, definition]) => {
        const suffix = one.suffix + subresource.charAt(0).toUpperCase() + subresource.slice(1)
        const operations = readAndWrite({ ...one, suffix, definition })
        return [`${path}/${subresource}`, { ...operations, parameters }]
      }),
  )
}
