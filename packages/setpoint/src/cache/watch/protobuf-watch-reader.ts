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
import type { WatchUpdate, WatchReader } from './watch-update.ts'

/** Reads a watch in protobuf: a frame is an event. Decodes only bookmarks and errors. */
export class ProtobufWatchReader extends FrameSplitter implements WatchReader {
  readonly #what: string

  /** `what` describes the watch in error messages. */
  constructor(what: string) {
    super()
    this.#what = what
  }

  read(frame: Buffer): WatchUpdate {
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
