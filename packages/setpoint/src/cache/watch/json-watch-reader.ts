import { watchEventFrom } from '../../client/index.ts'
import { LineSplitter } from '../../client/transport/split-lines.ts'
import { scanLine, scanObject } from '../store/scan-object.ts'
import { scannedByParsing } from '../store/scanned-by-parsing.ts'
import type { WatchNews, WatchReader } from './watch-news.ts'

const utf8 = new TextDecoder()

/** Reads a watch in JSON, a line an event. Objects are parsed only when their identity cannot be found without it. */
export class JsonWatchReader extends LineSplitter implements WatchReader {
  readonly #what: string

  /** `what` is the watch in words, for errors. */
  constructor(what: string) {
    super()
    this.#what = what
  }

  read(line: Uint8Array): WatchNews {
    const frame = scanLine(line)
    const type = frame === undefined ? undefined : newsTypes.get(frame.type)
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

const newsTypes: ReadonlyMap<string, 'put' | 'remove'> = new Map([
  ['ADDED', 'put'],
  ['MODIFIED', 'put'],
  ['DELETED', 'remove'],
])
