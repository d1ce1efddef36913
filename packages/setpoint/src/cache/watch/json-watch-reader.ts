import { watchEventFrom } from '../../client/index.ts'
import { LineSplitter } from '../../client/transport/split-lines.ts'
import { scanLine, scanObject } from '../store/scan-object.ts'
import { scannedByParsing } from '../store/scanned-by-parsing.ts'
import type { WatchUpdate, WatchReader } from './watch-update.ts'

const utf8 = new TextDecoder()

/**
 * Reads a watch in JSON: a line is an event. Parses an object only when a byte scan cannot find its
 * identity.
 */
export class JsonWatchReader extends LineSplitter implements WatchReader {
  readonly #what: string

  /** `what` describes the watch in error messages. */
  constructor(what: string) {
    super()
    this.#what = what
  }

  read(line: Uint8Array): WatchUpdate {
    const frame = scanLine(line)
    const type = frame === undefined ? undefined : updateTypes.get(frame.type)
    if (frame !== undefined && type !== undefined) {
      const scanned = scanObject(line, frame.objectStart)
      if (scanned !== undefined) return { type, scanned }
    }
    const event = watchEventFrom(this.#what, utf8.decode(line))
    if (event.type === 'BOOKMARK') return { ...event, type: 'bookmark' }
    const scanned = scannedByParsing(event.object)
    return { type: event.type === 'DELETED' ? 'remove' : 'put', scanned }
  }
}

const updateTypes: ReadonlyMap<string, 'put' | 'remove'> = new Map([
  ['ADDED', 'put'],
  ['MODIFIED', 'put'],
  ['DELETED', 'remove'],
])
