import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { revisionOf, storedOrMissing, tooLargeRevision } from './read.ts'
import { singleAnswer } from './represent.ts'

/**
 * GET of one object. The store is never stale, so a minimum resourceVersion is either reached or in
 * the future.
 */
export function getObject(request: ApiRequest, resource: ServedResource): JsonAnswer {
  const { info, server } = request
  const asked = revisionOf(info.query.get('resourceVersion') ?? '', 'get')
  if (asked > server.store.revision) throw tooLargeRevision(asked, server.store.revision)
  return singleAnswer(request, resource, storedOrMissing(request, resource))
}
