import type { InferResource, Kind } from '../kinds/kind.ts'
import type { ListOptions } from './call-options.ts'
import { describeObject, resourcePath } from './object-ref.ts'
import type { ListPage } from './object-types.ts'
import { acceptHeaders, withIdentity } from './representation.ts'
import type { Transport } from './transport.ts'
import { selectionQuery } from './write-requests.ts'

/** Large enough to be efficient, small enough for a server to answer without strain. */
const pageSizeDefault = 500

interface List {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly object[] | null
}

/** Reads a list page by page. Items of built-in kinds get back the identity that lists leave out. */
export async function* listPages<K extends Kind>(
  transport: Transport,
  kind: K,
  options: ListOptions,
): AsyncGenerator<ListPage<InferResource<K>>, void, undefined> {
  const { namespace = '', pageSize = pageSizeDefault, signal, deadlineMs } = options
  const { resourceVersion, resourceVersionMatch } = options
  let token: string | undefined
  do {
    const query =
      token === undefined
        ? { resourceVersion, resourceVersionMatch }
        : // The token knows the revision; naming it as well is an error.
          { continue: token }
    const text = await transport.text({
      method: 'GET',
      path: resourcePath(kind, { namespace: kind.scope === 'Cluster' ? '' : namespace }),
      query: { ...selectionQuery(options), ...query, limit: pageSize },
      headers: acceptHeaders(kind, 'list'),
      what: `list of ${describeObject(kind, { namespace })}`,
      signal,
      deadlineMs,
    })
    const list = JSON.parse(text) as List
    const items = (list.items ?? []).map((item) => withIdentity(kind, item))
    yield {
      items: items as unknown as InferResource<K>[],
      resourceVersion: list.metadata.resourceVersion ?? '',
    }
    token = list.metadata.continue === '' ? undefined : list.metadata.continue
  } while (token !== undefined)
}
