import { openWatch, type Selection, type Transport } from '../../client/index.ts'
import { isProtobuf } from '../../client/transport/representation.ts'
import { SetpointError } from '../../errors/index.ts'
import { type Host, onAbort, type Timer } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { JsonWatchReader } from './json-watch-reader.ts'
import { keyOf } from '../key.ts'
import { messageOf } from './kind-message.ts'
import { liveUid } from '../live-uid.ts'
import { hasEventsAfter } from './server-checks.ts'
import { ProtobufWatchReader } from './protobuf-watch-reader.ts'
import type { WatchedObjects } from '../watched-objects.ts'
import type { ScannedObject } from '../store/scan-object.ts'
import type { WatchUpdate, WatchReader } from './watch-update.ts'

/** The dependencies of a session. */
interface WatchSessionOptions {
  readonly host: Host
  readonly transport: Transport
  readonly kind: Kind
  readonly selection: Selection
  readonly watched: WatchedObjects
  readonly signal: AbortSignal
  /** Called when the server sends anything. */
  readonly onActivity: () => void
}

/**
 * The time for which the client asks the server to keep a watch open. It is long because an idle
 * watch costs nothing.
 */
const timeoutSecondsMin = 1800

/** The interval of the checks for silence. */
const checkMs = 12_000

/** After so many silent checks, 24 to 36 s, the client asks the server for missed events. */
const missedChecks = 3

/**
 * After so many silent checks the connection is lost: servers send a bookmark about every minute.
 */
const lostChecks = 15

/** How long events may be late on the watch, when the server has some. */
const lateMs = 1_000

/** One connection of a watch, from opening it to its end. */
export class WatchSession {
  readonly #options: WatchSessionOptions
  readonly #controller = new AbortController()
  #silence: Timer | undefined
  #silentChecks = 0
  #onLive: () => void = () => undefined

  constructor(options: WatchSessionOptions) {
    this.#options = options
  }

  /** Applies every event of the server. Calls `onLive` when the objects are current. */
  async run(onLive: () => void): Promise<void> {
    const { host, transport, kind, selection, watched, signal } = this.#options
    this.#onLive = onLive
    const isFromStart = watched.revision === undefined
    if (isFromStart) watched.beginList()
    const stopListening = onAbort(signal, () => this.#controller.abort(signal.reason))
    try {
      const stream = await openWatch(transport, kind, {
        ...selection,
        bookmarks: true,
        initialEvents: isFromStart,
        resourceVersion: watched.revision ?? '',
        // Within a process objects are passed without encoding: JSON is then the cheapest format.
        readsProtobuf: !transport.isLocal && messageOf(kind) !== undefined,
        // A watch within a process may last as long as the process.
        ...(transport.isLocal
          ? {}
          : { timeoutSeconds: Math.round(timeoutSecondsMin * (1 + host.random())) }),
        reusesBuffers: true,
        signal: this.#controller.signal,
      })
      this.#noteActivity()
      if (!isFromStart) onLive()
      const reader = isProtobuf(stream.headers)
        ? new ProtobufWatchReader(this.#what)
        : new JsonWatchReader(this.#what)
      for await (const chunk of stream.body) {
        const lookup = this.#take(reader, reader.split(chunk))
        if (lookup !== undefined) await lookup
      }
    } finally {
      stopListening()
      this.#silence?.cancel()
    }
  }

  #noteActivity(): void {
    const { transport, onActivity } = this.#options
    onActivity()
    this.#silentChecks = 0
    if (!transport.isLocal) this.#silence ??= this.#checkLater()
  }

  /**
   * Checks for silence from time to time: a timer for each of many events would cost more than the
   * events.
   */
  #checkLater(): Timer {
    const { host } = this.#options
    return host.setTimer(checkMs, () => {
      this.#silentChecks += 1
      if (this.#silentChecks > lostChecks) {
        this.#lose(`has received nothing for ${(lostChecks * checkMs) / 1000} s`)
        return
      }
      const mayHaveMissed = this.#silentChecks % missedChecks === 0
      if (mayHaveMissed && host.isLossless !== true) void this.#checkConnection()
      this.#silence = this.#checkLater()
    })
  }

  /**
   * Ends a watch whose connection is lost without a sign: the server has events that the watch does
   * not receive (decision 0024).
   */
  async #checkConnection(): Promise<void> {
    const { host, watched } = this.#options
    const { revision } = watched
    const { signal } = this.#controller
    if (revision === undefined) return
    if (!(await hasEventsAfter(revision, { ...this.#options, signal })) || signal.aborted) return
    host.setTimer(lateMs, () => {
      if (this.#silentChecks > 0 && !signal.aborted) this.#lose('misses events of the server')
    })
  }

  #lose(how: string): void {
    this.#controller.abort(new SetpointError('NETWORK_CONNECTION_LOST', `the ${this.#what} ${how}`))
  }

  /**
   * Applies events synchronously; returns a promise only when it has to ask the server about one.
   */
  #take(reader: WatchReader, events: readonly Uint8Array[]): Promise<void> | undefined {
    if (events.length > 0) this.#noteActivity()
    for (const [index, event] of events.entries()) {
      if (this.#options.signal.aborted) return undefined
      const lookup = this.#apply(reader.read(event))
      if (lookup === undefined) continue
      return lookup.then(() => this.#take(reader, events.slice(index + 1)))
    }
    return undefined
  }

  #apply(update: WatchUpdate): Promise<void> | undefined {
    const { watched } = this.#options
    if (update.type === 'bookmark') {
      if (!update.isInitialEnd) watched.advance(update.resourceVersion)
      else {
        watched.endList(update.resourceVersion)
        this.#onLive()
      }
      return undefined
    }
    const { scanned } = update
    if (update.type === 'remove') return this.#remove(scanned)
    watched.put(scanned)
    watched.advance(scanned.identity.resourceVersion)
    return undefined
  }

  async #remove(scanned: ScannedObject): Promise<void> {
    const { watched } = this.#options
    const { resourceVersion } = scanned.identity
    watched.remove(keyOf(scanned.identity), await this.#removalType(scanned), resourceVersion)
    watched.advance(resourceVersion)
  }

  /**
   * With a selector, the server sends DELETED also for an object that still exists and no longer
   * matches. Reads its uid to distinguish the two.
   */
  async #removalType({ identity }: ScannedObject): Promise<'removed' | 'deselected'> {
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
