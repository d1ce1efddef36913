import { limitMs } from '../host/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import type { ListOptions } from './transport/call-options.ts'
import { deadlineMsDefault } from './transport/call-outcome.ts'
import { describeObject, resourcePath } from './object-ref.ts'
import type { ListPage } from './object-types.ts'
import { acceptHeaders, withIdentity } from './transport/representation.ts'
import type { Transport } from './transport/transport.ts'
import { selectionQuery } from './write-requests.ts'

/** Large enough to be efficient, small enough not to load the server. */
const pageSizeDefault = 500

interface List {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly object[] | null
}

/**
 * Reads a list page by page. Items of built-in kinds get the apiVersion and kind that lists omit.
 * The deadline covers all pages; the time of the caller between them does not count.
 */
export async function* listPages<K extends Kind>(
  transport: Transport,
  kind: K,
  options: ListOptions,
): AsyncGenerator<ListPage<InferResource<K>>, void, undefined> {
  const { namespace = '', pageSize = pageSizeDefault, signal } = options
  const { resourceVersion, resourceVersionMatch, timeout = deadlineMsDefault } = options
  let endMs = transport.nowMs + limitMs(timeout, 'timeout')
  let token = options.continue ?? ''
  do {
    const query =
      token === ''
        ? { resourceVersion, resourceVersionMatch }
        : // The token contains the revision; the server refuses a request with both.
          { continue: token }
    const list: List = await transport.object({
      method: 'GET',
      path: resourcePath(kind, { namespace }),
      query: { ...selectionQuery(options), ...query, limit: pageSize },
      headers: acceptHeaders(kind, 'list'),
      what: `list of ${describeObject(kind, { namespace })}`,
      signal,
      timeout,
      endMs,
    })
    const { metadata = {} } = list
    const items = (list.items ?? []).map((item) => withIdentity(kind, item))
    const givenMs = transport.nowMs
    token = metadata.continue ?? ''
    yield {
      items: items as unknown as InferResource<K>[],
      resourceVersion: metadata.resourceVersion ?? '',
      continue: token,
    }
    endMs += transport.nowMs - givenMs
  } while (token !== '')
}
