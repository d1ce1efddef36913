import { type Selection, type Transport } from '../../client/index.ts'
import { resourcePath } from '../../client/object-ref.ts'
import { acceptHeaders } from '../../client/transport/representation.ts'
import { selectionQuery } from '../../client/write-requests.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { eachField, eachItem, isKey } from '../store/byte-scan.ts'
import type { WatchedObjects } from '../watched-objects.ts'
import { scanObject } from '../store/scan-object.ts'
import { scannedByParsing } from '../store/scanned-by-parsing.ts'

/** The dependencies of a list. */
interface ListOnceOptions {
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly watched: WatchedObjects
  readonly signal: AbortSignal
  readonly onActivity: () => void
}

const pageSize = 500

/** Fills the watched objects page by page: for servers that do not stream initial lists. */
export async function listOnce(options: ListOnceOptions): Promise<void> {
  const { transport, kind, selection, watched, signal, onActivity } = options
  const namespace = kind.scope === 'Cluster' ? '' : (selection.namespace ?? '')
  watched.beginList()
  let token = ''
  do {
    const text = await transport.text({
      method: 'GET',
      path: resourcePath(kind, { namespace }),
      query: { ...selectionQuery(selection), limit: pageSize, continue: token },
      headers: acceptHeaders(kind, 'list'),
      what: `list of ${kind.plural}`,
      signal,
    })
    onActivity()
    const page = takePage(new TextEncoder().encode(text), watched)
    if (page === undefined) throw incompleteList(kind)
    token = page.next
    if (token === '') watched.endList(page.resourceVersion)
  } while (token !== '')
}

/**
 * Puts the items of a page into the watched objects without parsing them; `undefined` when the page is not
 * a complete list.
 */
function takePage(
  page: Uint8Array,
  watched: WatchedObjects,
): { readonly resourceVersion: string; readonly next: string } | undefined {
  let metadata: { resourceVersion?: string; continue?: string } = {}
  const seen = { items: false }
  const slice = (start: number, end: number): unknown =>
    JSON.parse(new TextDecoder().decode(page.subarray(start, end)))
  const end = eachField(page, 0, (field) => {
    if (isKey(page, field.start, 'metadata')) {
      metadata = slice(field.valueStart, field.valueEnd) as typeof metadata
    } else if (isKey(page, field.start, 'items')) {
      // A Go server may send null for an empty list.
      seen.items = page[field.valueStart] === openBracket || isNull(page, field.valueStart)
      eachItem(page, field.valueStart, (start, end) => {
        watched.put(scanObject(page, start) ?? scannedByParsing(slice(start, end)))
      })
    }
  })
  const { resourceVersion = '', continue: next = '' } = metadata
  return end === -1 || !seen.items || resourceVersion === '' ? undefined : { resourceVersion, next }
}

const openBracket = 0x5b

function isNull(page: Uint8Array, at: number): boolean {
  return page[at] === 0x6e
}

/** An error, because an empty list would remove every object. */
function incompleteList({ plural }: Kind): SetpointError {
  return new SetpointError(
    'NETWORK_PROTOCOL_ERROR',
    `the list of ${plural} is incomplete or not a list`,
    {
      hint: 'a proxy between this process and the server may have answered, or have cut off the response',
    },
  )
}
