import type { ApiRequest } from '../api-request.ts'
import type { JsonAnswer } from '../http/respond.ts'
import { listOptions, type ListOptions } from '../options/list-options.ts'
import { switchOf } from '../options/query-values.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { readDeleteOptions, removeObject, warnOfOrphans } from './delete.ts'
import { pageText, readPage } from './list/list.ts'
import { matcherOf } from './list/matcher.ts'

/** A real server reads large pages: with a limit, a list shows exactly the asked revision. */
function inPages(list: ListOptions): ListOptions {
  return list.limit === 0 ? { ...list, limit: Number.MAX_SAFE_INTEGER } : list
}

/** A deletion takes as long as the conversion of about this many bytes. */
const bytesPerDeletion = 8 * 1024

/**
 * DELETE of a collection: one object after the other, not atomic. Answers with the deleted objects.
 */
export async function deleteCollection(
  request: ApiRequest,
  resource: ServedResource,
): Promise<JsonAnswer> {
  const { query } = request.info
  // A real server validates the options of a watch if the query asks for one, and ignores it then.
  const list = listOptions(query, switchOf(query, 'watch') ?? false)
  const matcher = matcherOf(resource, list)
  const options = await readDeleteOptions(request)
  warnOfOrphans(request, resource, options)
  const page = await readPage(request, resource, { options: inPages(list), matcher })
  for (const stored of page.objects) {
    // An object that was deleted in between is skipped.
    const current = request.server.store.get(resource.bucket, stored.key)
    if (current === undefined) continue
    await removeObject(request, resource, { stored: current, options, isOfCollection: true })
    await request.turns.worked(bytesPerDeletion + stored.text.length)
  }
  return { code: 200, text: await pageText(request, resource, page) }
}
