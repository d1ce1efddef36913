import type { ApiRequest } from '../api-request.ts'
import { cachedRevision, isCachedInTime } from '../cached-revision.ts'
import type { StoredObject } from '../../store/index.ts'
import type { JsonAnswer } from '../http/respond.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { hasWatchCache, readableOrMissing, revisionOf, tooLargeRevision } from './read.ts'
import { singleAnswer } from './represent.ts'

/** GET of one object. */
export async function getObject(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  return singleAnswer(request, resource, await readAsAsked(request, resource))
}

/**
 * The object that a GET names, at least as new as it asks for. The store is never stale, so a minimum resourceVersion is either reached or in
 * the future, unless a fault holds the watch cache back.
 */
export async function readAsAsked(
  request: ApiRequest,
  resource: ServedResource,
): Promise<StoredObject> {
  const { info, server } = request
  const given = info.query.get('resourceVersion') ?? ''
  const isCached = hasWatchCache(resource)
  const asked = revisionOf(given, isCached ? 'cache' : 'storage')
  if (asked > server.store.revision) {
    throw tooLargeRevision(asked, server.store.revision, isCached)
  }
  const cached = given === '' ? server.store.revision : cachedRevision(request)
  if (cached < asked && !(await isCachedInTime(request, asked))) {
    throw tooLargeRevision(asked, cachedRevision(request))
  }
  return readableOrMissing(request, resource, cached)
}
