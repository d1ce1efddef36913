import { openWatch, type Selection, type Transport } from '../../client/index.ts'
import { isProtobuf } from '../../client/transport/representation.ts'
import { SetpointError } from '../../errors/index.ts'
import { type Host, onAbort, type Timer } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { JsonWatchReader } from './json-watch-reader.ts'
import { keyOf } from '../key.ts'
import { messageOf } from './kind-message.ts'
import { liveUid } from '../live-uid.ts'
import { ProtobufWatchReader } from './protobuf-watch-reader.ts'
import type { Replica } from '../replica.ts'
import type { ScannedObject } from '../store/scan-object.ts'
import type { WatchNews, WatchReader } from './watch-news.ts'

/** What a session needs. */
interface WatchSessionOptions {
  readonly host: Host
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly replica: Replica
  readonly signal: AbortSignal
  /** The server said something. */
  readonly onSign: () => void
}

/** How long a server is asked to keep a watch open: long, because a quiet watch costs nothing. */
const timeoutSecondsMin = 1800

/** A server that sends bookmarks sends one a minute: this much silence means that nobody is there. */
const silenceMs = 180_000

/** How often it is looked whether there is silence, until it is believed. */
const looksMax = 3

/** One connection of a watch, from opening it to its end. */
export class WatchSession {
  readonly #options: WatchSessionOptions
  readonly #controller = new AbortController()
  #silence: Timer | undefined
  #silentLooks = 0
  #onLive: () => void = () => undefined

  constructor(options: WatchSessionOptions) {
    this.#options = options
  }

  /** Applies everything the server sends. `onLive` is called when the replica is up to date. */
  async run(onLive: () => void): Promise<void> {
    const { host, transport, kind, selection, replica, signal } = this.#options
    this.#onLive = onLive
    const isFromStart = replica.revision === undefined
    if (isFromStart) replica.beginList()
    const stopListening = onAbort(signal, () => this.#controller.abort(signal.reason))
    try {
      const stream = await openWatch(transport, kind, {
        ...selection,
        bookmarks: true,
        initialEvents: isFromStart,
        resourceVersion: replica.revision ?? '',
        // Within a process objects are handed over as they are in memory: JSON costs both sides least.
        readsProtobuf: !transport.isLocal && messageOf(kind) !== undefined,
        // A watch within a process can last as long as the process.
        ...(transport.isLocal
          ? {}
          : { timeoutSeconds: Math.round(timeoutSecondsMin * (1 + host.random())) }),
        lendsChunks: true,
        signal: this.#controller.signal,
      })
      this.#sign()
      if (!isFromStart) onLive()
      const reader = isProtobuf(stream.headers)
        ? new ProtobufWatchReader(this.#what)
        : new JsonWatchReader(this.#what)
      for await (const chunk of stream.body) {
        const asking = this.#take(reader, reader.split(chunk))
        if (asking !== undefined) await asking
      }
    } finally {
      stopListening()
      this.#silence?.cancel()
    }
  }

  #sign(): void {
    this.#options.onSign()
    this.#silentLooks = 0
    if (!this.#options.transport.isLocal) this.#silence ??= this.#lookLater()
  }

  /** Looks now and then whether anything was said: a timer for each of many lines would cost more than the lines. */
  #lookLater(): Timer {
    return this.#options.host.setTimer(silenceMs / looksMax, () => {
      this.#silentLooks += 1
      if (this.#silentLooks <= looksMax) this.#silence = this.#lookLater()
      else {
        const what = `the ${this.#what} has been silent for ${silenceMs / 1000} s`
        this.#controller.abort(new SetpointError('NETWORK_CONNECTION_LOST', what))
      }
    })
  }

  /** Applies events, all at once: there is something to wait for only where it has to ask. */
  #take(reader: WatchReader, events: readonly Uint8Array[]): Promise<void> | undefined {
    if (events.length > 0) this.#sign()
    for (const [index, event] of events.entries()) {
      if (this.#options.signal.aborted) return undefined
      const asking = this.#apply(reader.read(event))
      if (asking === undefined) continue
      return asking.then(() => this.#take(reader, events.slice(index + 1)))
    }
    return undefined
  }

  #apply(news: WatchNews): Promise<void> | undefined {
    const { replica } = this.#options
    if (news.type === 'bookmark') {
      if (!news.isInitialEnd) replica.advance(news.resourceVersion)
      else {
        replica.endList(news.resourceVersion)
        this.#onLive()
      }
      return undefined
    }
    const { scanned } = news
    if (news.type === 'remove') return this.#remove(scanned)
    replica.put(scanned)
    replica.advance(scanned.identity.resourceVersion)
    return undefined
  }

  async #remove(scanned: ScannedObject): Promise<void> {
    const { replica } = this.#options
    replica.remove(keyOf(scanned.identity), await this.#ending(scanned))
    replica.advance(scanned.identity.resourceVersion)
  }

  /** With a selector, an object that no longer fits is told like a deleted one: look which it is. */
  async #ending({ identity }: ScannedObject): Promise<'removed' | 'deselected'> {
    const { selection, transport, kind } = this.#options
    const { labelSelector, fieldSelector } = selection
    if (labelSelector === undefined && fieldSelector === undefined) return 'removed'
    const { signal } = this.#controller
    const uid = await liveUid(transport, kind, { ...identity, signal })
    return uid === identity.uid ? 'deselected' : 'removed'
  }

  get #what(): string {
    return `watch of ${this.#options.kind.plural}`
  }
}
