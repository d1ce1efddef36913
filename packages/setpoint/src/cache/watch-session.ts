import {
  openWatch,
  type Selection,
  splitLines,
  type Transport,
  watchEventFrom,
} from '../client/index.ts'
import { SetpointError } from '../errors/index.ts'
import { type Host, onAbort, type Timer } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { keyOf } from './key.ts'
import { liveUid } from './live-uid.ts'
import type { Replica } from './replica.ts'
import { scanLine, scanObject, type ScannedObject } from './scan-object.ts'
import { scannedByParsing } from './scanned-by-parsing.ts'

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

const objectEvents: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED'])

const utf8 = new TextDecoder()

/** One connection of a watch, from opening it to its end. */
export class WatchSession {
  readonly #options: WatchSessionOptions
  readonly #controller = new AbortController()
  #silence: Timer | undefined
  #silentLooks = 0

  constructor(options: WatchSessionOptions) {
    this.#options = options
  }

  /** Applies everything the server sends. `onLive` is called when the replica is up to date. */
  async run(onLive: () => void): Promise<void> {
    const { host, transport, kind, selection, replica, signal } = this.#options
    const isFromStart = replica.revision === undefined
    if (isFromStart) replica.beginList()
    const stopListening = onAbort(signal, () => this.#controller.abort(signal.reason))
    try {
      using stream = await openWatch(transport, kind, {
        ...selection,
        bookmarks: true,
        initialEvents: isFromStart,
        resourceVersion: replica.revision ?? '',
        // A watch within a process can last as long as the process.
        ...(transport.isLocal
          ? {}
          : { timeoutSeconds: Math.round(timeoutSecondsMin * (1 + host.random())) }),
        signal: this.#controller.signal,
      })
      this.#sign()
      if (!isFromStart) onLive()
      for await (const line of splitLines(stream.body)) {
        this.#sign()
        const isLive = this.#take(line)
        if (typeof isLive === 'boolean' ? isLive : await isLive) onLive()
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

  /** Applies a line; `true` when it ended the initial list. It waits only where it has to ask. */
  #take(line: Uint8Array): boolean | Promise<boolean> {
    const { replica } = this.#options
    const frame = scanLine(line)
    const isObject = frame !== undefined && objectEvents.has(frame.type)
    const scanned = isObject ? scanObject(line, frame.objectStart) : undefined
    if (frame !== undefined && scanned !== undefined) return this.#apply(frame.type, scanned)
    const event = watchEventFrom(this.#what, utf8.decode(line))
    if (event.type !== 'BOOKMARK') return this.#apply(event.type, scannedByParsing(event.object))
    if (event.isInitialEnd) replica.endList(event.resourceVersion)
    else replica.advance(event.resourceVersion)
    return event.isInitialEnd
  }

  #apply(type: string, scanned: ScannedObject): false | Promise<false> {
    if (type === 'DELETED') return this.#remove(scanned)
    const { replica } = this.#options
    replica.put(scanned)
    replica.advance(scanned.identity.resourceVersion)
    return false
  }

  async #remove(scanned: ScannedObject): Promise<false> {
    const { replica } = this.#options
    replica.remove(keyOf(scanned.identity), await this.#ending(scanned))
    replica.advance(scanned.identity.resourceVersion)
    return false
  }

  /** With a selector, an object that no longer fits is told like a deleted one: look which it is. */
  async #ending({ identity }: ScannedObject): Promise<'removed' | 'left'> {
    const { selection, transport, kind } = this.#options
    const { labelSelector, fieldSelector } = selection
    if (labelSelector === undefined && fieldSelector === undefined) return 'removed'
    const { signal } = this.#controller
    const uid = await liveUid(transport, kind, { ...identity, signal })
    return uid === identity.uid ? 'left' : 'removed'
  }

  get #what(): string {
    return `watch of ${this.#options.kind.plural}`
  }
}
