import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { readableOrMissing, revisionOf, tooLargeRevision } from './read.ts'
import { singleAnswer } from './represent.ts'

/**
 * GET of one object. The store is never stale, so a minimum resourceVersion is either reached or in
 * the future.
 */
export async function getObject(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { info, server } = request
  const asked = revisionOf(info.query.get('resourceVersion') ?? '', 'get')
  if (asked > server.store.revision) throw tooLargeRevision(asked, server.store.revision)
  return singleAnswer(request, resource, await readableOrMissing(request, resource))
}
