import { watchEventOf } from '../../client/watch-events.ts'
import { SetpointError } from '../../errors/index.ts'
import { PartialObjectMetadata, Status } from '../../kinds/generated/messages/meta-v1.ts'
import {
  decodeMessage,
  FrameSplitter,
  planOf,
  scanEvent,
  scanMessage,
} from '../../protobuf/index.ts'
import type { WatchNews, WatchReader } from './watch-news.ts'

/** Reads a watch in protobuf, a frame an event. Nothing is decoded but bookmarks and errors. */
export class ProtobufWatchReader extends FrameSplitter implements WatchReader {
  readonly #what: string

  /** `what` is the watch in words, for errors. */
  constructor(what: string) {
    super()
    this.#what = what
  }

  read(frame: Buffer): WatchNews {
    const { type, object: span } = scanEvent(frame)
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
      const { identity, content } = scanMessage(frame, span)
      const scanned = { identity, content, isProtobuf: true }
      return { type: type === 'DELETED' ? 'remove' : 'put', scanned }
    }
    const object =
      type === 'BOOKMARK'
        ? decodeMessage(planOf(PartialObjectMetadata), frame, span)
        : { kind: 'Status', ...decodeMessage(planOf(Status), frame, span) }
    const event = watchEventOf(this.#what, { type, object })
    if (event.type === 'BOOKMARK') return { ...event, type: 'bookmark' }
    throw new SetpointError('NETWORK_PROTOCOL_ERROR', `${this.#what} sent an event ${event.type}`)
  }
}
