import { type Selection, type Transport } from '../client/index.ts'
import { resourcePath } from '../client/object-ref.ts'
import { acceptHeaders } from '../client/representation.ts'
import { selectionQuery } from '../client/write-requests.ts'
import type { Kind } from '../kinds/kind.ts'
import { eachField, eachItem, isKey } from './byte-scan.ts'
import type { Replica } from './replica.ts'
import { scanObject } from './scan-object.ts'
import { scannedByParsing } from './scanned-by-parsing.ts'

/** What a list needs. */
interface ListOnceOptions {
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly replica: Replica
  readonly signal: AbortSignal
  readonly onSign: () => void
}

const pageSize = 500

/** Fills a replica page by page: for servers that do not stream initial lists. */
export async function listOnce(options: ListOnceOptions): Promise<void> {
  const { transport, kind, selection, replica, signal, onSign } = options
  const namespace = kind.scope === 'Cluster' ? '' : (selection.namespace ?? '')
  replica.beginList()
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
    onSign()
    const { resourceVersion, next } = takePage(new TextEncoder().encode(text), replica)
    token = next
    if (token === '') replica.endList(resourceVersion)
  } while (token !== '')
}

/** Puts the items of a page into the replica, without parsing them. */
function takePage(page: Uint8Array, replica: Replica): { resourceVersion: string; next: string } {
  let metadata: { resourceVersion?: string; continue?: string } = {}
  const slice = (start: number, end: number): unknown =>
    JSON.parse(new TextDecoder().decode(page.subarray(start, end)))
  eachField(page, 0, (field) => {
    if (isKey(page, field.start, 'metadata')) {
      metadata = slice(field.valueStart, field.valueEnd) as typeof metadata
    } else if (isKey(page, field.start, 'items')) {
      eachItem(page, field.valueStart, (start, end) => {
        replica.put(scanObject(page, start) ?? scannedByParsing(slice(start, end)))
      })
    }
  })
  return { resourceVersion: metadata.resourceVersion ?? '', next: metadata.continue ?? '' }
}
