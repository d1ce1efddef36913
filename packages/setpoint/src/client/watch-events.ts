import { SetpointError } from '../errors/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import { ApiError, statusFrom } from './transport/api-error.ts'
import type { WatchOptions } from './transport/call-options.ts'
import { notApiServerHint } from './transport/call-outcome.ts'
import { describeObject, resourcePath } from './object-ref.ts'
import type { WatchEvent } from './object-types.ts'
import { acceptHeaders, acceptProtobufWatch, withIdentity } from './transport/representation.ts'
import type { ApiStream, Transport } from './transport/transport.ts'
import { splitLines } from './transport/split-lines.ts'
import { selectionQuery } from './write-requests.ts'

/**
 * Options of a watch: `readsProtobuf` when the caller can read both encodings, `reusesBuffers` when
 * it keeps no chunk.
 */
interface OpenWatchOptions extends WatchOptions {
  readonly readsProtobuf?: boolean | undefined
  readonly reusesBuffers?: boolean
}

/**
 * Opens a watch. The body has a line per event, `{"type":"ADDED","object":{...}}`, or a frame per
 * event when the response is protobuf.
 */
export function openWatch(
  transport: Transport,
  kind: Kind,
  options: OpenWatchOptions,
): Promise<ApiStream> {
  const { namespace = '', signal, timeout, resourceVersion, timeoutSeconds } = options
  const { initialEvents = false, bookmarks = initialEvents } = options
  return transport.stream({
    method: 'GET',
    path: resourcePath(kind, { namespace }),
    query: {
      ...selectionQuery(options),
      watch: true,
      resourceVersion,
      timeoutSeconds,
      allowWatchBookmarks: bookmarks ? true : undefined,
      sendInitialEvents: initialEvents ? true : undefined,
      resourceVersionMatch: initialEvents ? 'NotOlderThan' : undefined,
    },
    headers:
      options.readsProtobuf === true ? acceptProtobufWatch(kind) : acceptHeaders(kind, 'object'),
    what: describeWatch(kind, namespace),
    ...(options.reusesBuffers === true ? { reusesBuffers: true } : {}),
    signal,
    timeout,
  })
}

/** The events of one watch; throws on an ERROR event. */
export async function* watchEvents<K extends Kind>(
  transport: Transport,
  kind: K,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<InferResource<K>>, void, undefined> {
  const stream = await openWatch(transport, kind, { ...options, reusesBuffers: true })
  const what = describeWatch(kind, options.namespace)
  const text = new TextDecoder()
  for await (const bytes of splitLines(stream.body)) {
    const line = text.decode(bytes)
    if (line.trim() === '') continue
    const event = watchEventFrom(what, line)
    yield (
      event.type === 'BOOKMARK'
        ? event
        : { ...event, object: withIdentity(kind, event.object as object) }
    ) as WatchEvent<InferResource<K>>
  }
}

interface Bookmark {
  readonly metadata?: {
    readonly resourceVersion?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** The annotation of the bookmark after the last initial event. */
const initialEndAnnotation = 'k8s.io/initial-events-end'

/** Parses one line of a watch; throws on an ERROR event. */
export function watchEventFrom(what: string, line: string): WatchEvent<unknown> {
  return watchEventOf(what, parsedLine(line))
}

/** Interprets an event in either encoding; throws on an ERROR event. */
export function watchEventOf(what: string, { type, object }: SentEvent): WatchEvent<unknown> {
  if (typeof object === 'object' && object !== null) {
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') return { type, object }
    const { resourceVersion, annotations } = (object as Bookmark).metadata ?? {}
    if (type === 'BOOKMARK' && typeof resourceVersion === 'string') {
      return { type, resourceVersion, isInitialEnd: annotations?.[initialEndAnnotation] === 'true' }
    }
    const status = statusFrom(object)
    if (status !== undefined) throw new ApiError(what, status)
  }
  throw new SetpointError(
    'NETWORK_PROTOCOL_ERROR',
    `${what} received something that is not a watch event`,
    {
      hint: notApiServerHint,
    },
  )
}

interface SentEvent {
  readonly type?: unknown
  readonly object?: unknown
}

/** Invalid content is not part of the error, not even as a cause: it may be a part of a secret. */
function parsedLine(line: string): SentEvent {
  try {
    return (JSON.parse(line) as SentEvent | null) ?? {}
  } catch {
    return {}
  }
}

function describeWatch(kind: Kind, namespace: string | undefined): string {
  return `watch of ${describeObject(kind, { namespace })}`
}
