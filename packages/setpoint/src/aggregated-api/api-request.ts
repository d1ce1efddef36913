/** From the path and the query of a request to what it asks for. Pure. */
import type { ApiDeclaration } from './declare/api-declaration.ts'
import type { ServedResource } from './declare/serve-resource.ts'
import { refusals, type Subject } from './api-refusal.ts'

/** A request for objects of a resource. */
export interface ResourceRequest {
  readonly api: ApiDeclaration
  readonly resource: ServedResource
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'
  readonly namespace: string | undefined
  /** Empty for requests about many objects. */
  readonly name: string
  readonly query: URLSearchParams
}

/** The resource and the object, for messages. */
export function subjectOf({ resource, name }: ResourceRequest): Subject {
  const { group, plural, kind } = resource.definition
  return { group, plural, kind, name }
}

/**
 * The request for a path below `/apis/GROUP/VERSION/`; throws the refusal of one that no server
 * would accept.
 */
export function resourceRequest(
  api: ApiDeclaration,
  { method, path, query }: { method: string; path: string; query: URLSearchParams },
): ResourceRequest {
  const place = placeOf(path.split('/').slice(4))
  const resource = api.resources.find(({ definition }) => definition.plural === place.plural)
  if (resource === undefined) throw refusals.noPath()
  const isNamespaced = resource.definition.scope === 'Namespaced'
  if (!isNamespaced && place.namespace !== undefined) throw refusals.noPath()
  if (isNamespaced && place.namespace === undefined && place.name !== '') throw refusals.noPath()
  const verb = verbFor(method, place.name !== '', isWatch(query))
  if (verb === undefined) throw refusals.noMethod()
  if (verb === 'create' && isNamespaced && place.namespace === undefined) throw refusals.noMethod()
  const { namespace, name } = place
  // A watch of one object is a watch of the list with a selector.
  return { api, resource, verb, namespace, name, query }
}

interface Place {
  readonly plural: string
  readonly namespace: string | undefined
  readonly name: string
}

/** No resource has subresources. */
function placeOf(segments: readonly string[]): Place {
  const parts = segments.map(decoded)
  if (parts.at(-1) === '') parts.pop()
  const isInNamespace = parts[0] === 'namespaces' && parts.length > 2
  const [plural = '', name = '', ...rest] = isInNamespace ? parts.slice(2) : parts
  if (rest.length > 0 || plural === '') throw refusals.noPath()
  return { plural, name, namespace: isInNamespace ? parts[1] : undefined }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) throw refusals.badRequest('the path is not URL-encoded')
    throw error
  }
}

function isWatch(query: URLSearchParams): boolean {
  return ['true', '1', ''].includes(query.get('watch') ?? 'false')
}

function verbFor(
  method: string,
  hasName: boolean,
  watches: boolean,
): ResourceRequest['verb'] | undefined {
  switch (method) {
    case 'GET':
      return watches ? 'watch' : hasName ? 'get' : 'list'
    case 'POST':
      return hasName ? undefined : 'create'
    case 'PUT':
      return hasName ? 'update' : undefined
    case 'PATCH':
      return hasName ? 'patch' : undefined
    case 'DELETE':
      return hasName ? 'delete' : undefined
    default:
      return undefined
  }
}

/** Whether the request must not change anything; throws a refusal. */
export function isDryRun(values: readonly string[]): boolean {
  const wrong = values.find((value) => value !== 'All')
  if (wrong !== undefined) {
    throw refusals.badRequest(`dryRun: Unsupported value: "${wrong}": supported values: "All"`)
  }
  return values.length > 0
}
