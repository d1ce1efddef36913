import { SetpointError } from '../errors/index.ts'
import type { InferResource, Kind } from '../kinds/kind.ts'
import { ApiError, statusFrom } from './api-error.ts'
import type { WatchOptions } from './call-options.ts'
import { describeObject, resourcePath } from './object-ref.ts'
import type { WatchEvent } from './object-types.ts'
import { acceptHeaders, acceptProtobufWatch, withIdentity } from './representation.ts'
import type { ApiStream, Transport } from './transport.ts'
import { splitLines } from './split-lines.ts'
import { selectionQuery } from './write-requests.ts'

/** How a watch is opened: `readsProtobuf` for who can read both. */
interface OpenWatchOptions extends WatchOptions {
  readonly readsProtobuf?: boolean | undefined
}

/**
 * Opens a watch. Lines come as the server sends them, `{"type":"ADDED","object":{...}}`, or frames, if the answer is protobuf.
 */
export function openWatch(
  transport: Transport,
  kind: Kind,
  options: OpenWatchOptions,
): Promise<ApiStream> {
  const { namespace = '', signal, deadlineMs, resourceVersion, timeoutSeconds } = options
  const { initialEvents = false, bookmarks = initialEvents } = options
  return transport.stream({
    method: 'GET',
    path: resourcePath(kind, { namespace: kind.scope === 'Cluster' ? '' : namespace }),
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
    signal,
    deadlineMs,
  })
}

/** The events of one watch; an ERROR event is thrown. */
export async function* watchEvents<K extends Kind>(
  transport: Transport,
  kind: K,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<InferResource<K>>, void, undefined> {
  const stream = await openWatch(transport, kind, options)
  const text = new TextDecoder()
  for await (const line of splitLines(stream.body)) {
    const what = describeWatch(kind, options.namespace)
    const event = watchEventFrom(what, text.decode(line))
    yield (
      event.type === 'BOOKMARK'
        ? event
        : { ...event, object: withIdentity(kind, event.object as object) }
    ) as WatchEvent<InferResource<K>>
  }
}

interface Bookmark {
  readonly metadata: {
    readonly resourceVersion: string
    readonly annotations?: Readonly<Record<string, string>>
  }
}

/** The annotation of the bookmark after the last initial event. */
const initialEndAnnotation = 'k8s.io/initial-events-end'

/** Reads one line of a watch; an ERROR event is thrown. */
export function watchEventFrom(what: string, line: string): WatchEvent<unknown> {
  return watchEventOf(what, parsedLine(what, line))
}

/** What an event means, however it was sent; an ERROR event is thrown. */
export function watchEventOf(
  what: string,
  { type, object }: { readonly type: string; readonly object: unknown },
): WatchEvent<unknown> {
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object }
    case 'BOOKMARK': {
      const { resourceVersion, annotations } = (object as Bookmark).metadata
      return { type, resourceVersion, isInitialEnd: annotations?.[initialEndAnnotation] === 'true' }
    }
    default:
      throw new ApiError(what, statusFrom(object) ?? unknownEvent(type))
  }
}

function parsedLine(what: string, line: string): { type: string; object: unknown } {
  try {
    return JSON.parse(line) as { type: string; object: unknown }
  } catch (cause) {
    throw new SetpointError('NETWORK_PROTOCOL_ERROR', `${what} sent a line that is no JSON`, {
      cause,
    })
  }
}

function unknownEvent(type: string): { code: number; reason: string; message: string } {
  return { code: 500, reason: 'InternalError', message: `an event of type ${type} was sent` }
}

function describeWatch(kind: Kind, namespace: string | undefined): string {
  return `watch of ${describeObject(kind, namespace === undefined ? {} : { namespace })}`
}
