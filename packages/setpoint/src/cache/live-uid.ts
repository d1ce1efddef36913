import { isApiError, type Transport } from '../client/index.ts'
import { resourcePath } from '../client/object-ref.ts'
import type { Kind } from '../kinds/kind.ts'

/**
 * The current uid of an object, read from the server; `undefined` when there is none. A forbidden
 * read counts as deleted: an error would end the watch, which would resume at the same event again
 * and again.
 */
export async function liveUid(
  transport: Transport,
  kind: Kind,
  {
    namespace,
    name,
    signal,
  }: { readonly namespace: string; readonly name: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const text = await transport.text({
      method: 'GET',
      path: resourcePath(kind, { namespace, name }),
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
      what: `get of ${kind.kind} ${name}`,
      signal,
    })
    return (JSON.parse(text) as { metadata: { uid: string } }).metadata.uid
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND', 'API_FORBIDDEN')) return undefined
    throw error
  }
}
