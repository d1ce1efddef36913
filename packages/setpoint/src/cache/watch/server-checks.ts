import { isApiError, openWatch, type Selection, type Transport } from '../../client/index.ts'
import { resourcePath } from '../../client/object-ref.ts'
import { type Host, onAbort } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'

/** What the checks need. */
interface ServerCheckOptions {
  readonly host: Host
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly signal: AbortSignal
}

/** How long a check may take; then its result is unknown. */
const timeoutMs = 5_000

/** The current revision of the server, from the smallest possible list. */
export async function currentRevision(options: ServerCheckOptions): Promise<string> {
  const { transport, kind, selection, signal } = options
  const namespace = kind.scope === 'Cluster' ? '' : (selection.namespace ?? '')
  const list = await transport.object({
    method: 'GET',
    path: resourcePath(kind, { namespace }),
    query: { limit: 1 },
    what: `list of one of ${kind.plural}`,
    signal,
  })
  const { metadata } = list as { readonly metadata?: { readonly resourceVersion?: unknown } }
  return typeof metadata?.resourceVersion === 'string' ? metadata.resourceVersion : ''
}

/**
 * Whether the server has events after a revision, or has already dropped them. A failure of the
 * check means nothing: the watch that is checked may be in order.
 */
export async function hasEventsAfter(
  revision: string,
  { host, transport, kind, selection, signal }: ServerCheckOptions,
): Promise<boolean> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  const timer = host.setTimer(timeoutMs, stop)
  const stopListening = onAbort(signal, stop)
  try {
    const { body } = await openWatch(transport, kind, {
      ...selection,
      resourceVersion: revision,
      // The server ends it, so that its connection can be used again.
      timeoutSeconds: 1,
      signal: controller.signal,
    })
    for await (const chunk of body) if (chunk.length > 0) return true
    return false
  } catch (error) {
    return isApiError(error, 'API_EXPIRED')
  } finally {
    timer.cancel()
    stopListening()
  }
}
