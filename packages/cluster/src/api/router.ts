import {
  badRequest,
  methodNotAllowed,
  notFound,
  staleObject,
  unknownResource,
  unsupportedVerb,
} from '../status/index.ts'
import { RevisionConflictError } from '../store/index.ts'
import type { ApiRequest } from './api-request.ts'
import { isRoutable } from './http/negotiate.ts'
import type { RequestInfo } from './http/request-info.ts'
import { pageNotFound, type JsonAnswer } from './http/respond.ts'
import type { Outcome } from './outcome.ts'
import { groupResourceOf, type ServedResource } from './resources/served-resource.ts'
import { bindPod } from './subresources/bindings.ts'
import { answerReview, isReview } from './reviews/reviews.ts'
import { runSubresource } from './run-subresource.ts'
import { createObject } from './verbs/create.ts'
import { deleteCollection } from './verbs/delete-collection.ts'
import { deleteObject } from './verbs/delete.ts'
import { getObject } from './verbs/get.ts'
import { listObjects } from './verbs/list/list.ts'
import { patchObject, patchType } from './verbs/patch/patch.ts'
import { getScale, patchScale, updateScale } from './verbs/scale.ts'
import { updateObject } from './verbs/update.ts'
import { watchObjects } from './verbs/watch/watch.ts'

/**
 * The resource that a request names. Only the path is checked. `undefined` if the path is unknown.
 */
export function findResource(
  request: Pick<ApiRequest, 'info' | 'server'>,
): ServedResource | undefined {
  const { group, version, resource: plural, namespace, name, verb, selectedName } = request.info
  const { registry } = request.server
  const resource = registry.find(group, version, plural)
  if (resource === undefined) {
    const isCustomGroup = registry
      .groups()
      .some((served) => served.name === group && served.versions.some(({ isCustom }) => isCustom))
    if (isCustomGroup || !registry.hasGroup(group)) return undefined
    throw unknownResource()
  }
  const isNamespace = plural === 'namespaces' && [name, selectedName].includes(namespace)
  const isInNamespace = namespace !== '' && !isNamespace
  const isMisplaced = resource.namespaced
    ? !isInNamespace && (name !== '' || (verb !== 'list' && verb !== 'watch'))
    : isInNamespace
  if (!isMisplaced) return resource
  if (resource.isCustom) return undefined
  if (resource.namespaced && name === '' && verb !== 'proxy') throw methodNotAllowed()
  throw unknownResource()
}

/** How often a write with a conflict is retried; more would mean that it never succeeds. */
const attemptsMax = 20

/**
 * Executes an authorized request for a resource. A write reads, decides and stores. When another
 * write was stored in between, it is retried with the current object, as on a real server.
 */
export async function route(request: ApiRequest, resource: ServedResource): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await routeOnce(request, resource)
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
      if (attempt >= attemptsMax) throw staleObject(groupResourceOf(resource), request.info.name)
    }
  }
}

type RoutedRequest = Pick<ApiRequest, 'info' | 'headers'>

/** The refusals of a path or a method, which come before those of media types. */
export function checkRoute(request: RoutedRequest, resource: ServedResource): void {
  const { info } = request
  // The paths of this verb no longer exist.
  if (info.verb === 'proxy') throw unknownResource()
  if (info.subresource !== '') checkSubresource(request, resource)
  else if (resource.isCustom) checkCustomVerb(request, resource)
  else checkVerb(info, resource)
  if (info.verb === 'patch' && !resource.isCustom) patchType(request, resource)
}

/** The handlers of deprecated versions warn, unless the router refuses a media type before. */
export function warnOfDeprecation(
  request: Pick<ApiRequest, 'info' | 'headers' | 'warnings'>,
  resource: ServedResource,
): void {
  const { info, headers, warnings } = request
  if (resource.deprecationWarning === undefined) return
  if (!resource.isCustom) {
    if (!isRoutable(headers['accept'] ?? '')) return
    if (info.verb === 'patch') patchType(request, resource)
  }
  warnings.add(resource.deprecationWarning)
}

async function routeOnce(request: ApiRequest, resource: ServedResource): Promise<Outcome> {
  const { subresource, verb } = request.info
  if (subresource === '') {
    return runVerb(verb, request, resource)
  }
  if (subresource === 'scale') return { answer: await runScale(verb, request, resource) }
  if (subresource === 'status') return runVerb(verb, request, resource)
  return runSubresource(request, resource)
}

function checkSubresource(request: RoutedRequest, resource: ServedResource): void {
  const { subresource, verb, method, rest, name } = request.info
  const served = resource.subresources.get(subresource)
  if (resource.isCustom) {
    // One handler for all paths and methods: it ignores the rest of a path.
    if (served === undefined) throw notFound(groupResourceOf(resource), name)
    if (!served.verbs.has(verb)) throw unsupportedVerb(groupResourceOf(resource), verb)
    if (verb === 'patch') patchType(request, resource)
    return
  }
  // The rest of the path of a proxy is that of the request to the pod.
  const isUnknown = rest.length > 0 && subresource !== 'proxy'
  if (served === undefined || isUnknown) throw unknownResource()
  if (!served.verbs.has(verb) || method === 'HEAD') throw methodNotAllowed()
}

function checkVerb(info: RequestInfo, resource: ServedResource): void {
  if (info.verb === 'watch' && info.method !== 'GET') throw methodNotAllowed()
  const isOnObject = info.name !== ''
  const isForObject = ['get', 'update', 'patch', 'delete'].includes(info.verb)
  const fits = isOnObject === isForObject
  if (!fits || !resource.verbs.has(info.verb) || info.method === 'HEAD') throw methodNotAllowed()
}

/** Custom resources have no route per method: one handler checks the verb. */
function checkCustomVerb(request: RoutedRequest, resource: ServedResource): void {
  const { verb, name } = request.info
  if (verb === 'patch') patchType(request, resource)
  if (name === '' && (verb === 'update' || verb === 'patch')) {
    throw badRequest('name must be provided')
  }
  if (!resource.verbs.has(verb)) throw unsupportedVerb(groupResourceOf(resource), verb)
}

async function runVerb(
  verb: string,
  request: ApiRequest,
  resource: ServedResource,
): Promise<Outcome> {
  switch (verb) {
    case 'get':
      return { answer: await getObject(request, resource) }
    case 'list':
      return { answer: await listObjects(request, resource) }
    case 'watch':
      return { response: watchObjects(request, resource) }
    case 'create':
      return { answer: await create(request, resource) }
    case 'update':
      return { answer: await updateObject(request, resource) }
    case 'patch':
      return { answer: await patchObject(request, resource) }
    case 'delete':
      return { answer: await deleteObject(request, resource) }
    case 'deletecollection':
      return { answer: await deleteCollection(request, resource) }
    default:
      throw methodNotAllowed()
  }
}

/** Most creates store an object; reviews are only answered, and bindings change a pod. */
async function create(request: ApiRequest, resource: ServedResource): Promise<JsonAnswer> {
  if (isReview(resource)) return answerReview(request, resource)
  if (resource.kind !== 'Binding') return createObject(request, resource)
  const pods = request.server.registry.find('', 'v1', 'pods')
  if (pods === undefined) throw unknownResource()
  return bindPod(request, pods, resource)
}

async function runScale(
  verb: string,
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  if (verb === 'get') return getScale(request, resource)
  if (verb === 'update') return updateScale(request, resource)
  return patchScale(request, resource)
}

/** The answer for an unknown path. */
export const unknownPath: Outcome = { response: pageNotFound() }
