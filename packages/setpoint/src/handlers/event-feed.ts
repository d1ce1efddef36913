import type { Change, Key } from '../cache/index.ts'
import type { Host } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { callAuthor, timeoutMsOf } from './call-author.ts'
import type { ServedObject } from './essence.ts'
import type { EventHandler, ObjectEvent } from './declare/handler-declaration.ts'

/** What feeding needs. */
interface EventFeedOptions {
  readonly host: Host
  readonly log: Logger
  readonly handlers: readonly EventHandler[]
  readonly concerns: (handler: EventHandler, object: ServedObject) => boolean
  readonly contextOf: (object: ServedObject, signal: AbortSignal) => object
}

/** How many events of one object wait for handlers that are slower than it changes; then the oldest are left out. */
const waitingMax = 100

const timeoutMsDefault = 300_000

/** Tells handlers of everything a watch says: of one object in order, of different ones at the same time. */
export class EventFeed {
  readonly #options: EventFeedOptions
  readonly #controller = new AbortController()
  /** What is still to be told of the objects whose handlers are at work. */
  readonly #waiting = new Map<Key, Change[]>()

  constructor(options: EventFeedOptions) {
    this.#options = options
  }

  push(change: Change): void {
    if (this.#controller.signal.aborted) return
    const waiting = this.#waiting.get(change.key)
    if (waiting === undefined) return void this.#tellAll(change)
    if (waiting.length === waitingMax) {
      waiting.shift()
      this.#options.log.warn({ object: change.key }, 'event handlers are too slow: events are lost')
    }
    waiting.push(change)
  }

  /** Tells nothing more; those that are being told hear of it by their signal. */
  stop(): void {
    this.#controller.abort()
  }

  async #tellAll(first: Change): Promise<void> {
    const waiting = [first]
    this.#waiting.set(first.key, waiting)
    // Whoever pushed it has other things to do first.
    await Promise.resolve()
    for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
      const { type, isInitial, current, previous } = change
      await this.#tell(change.key, {
        type,
        isInitial,
        object: current.object as ServedObject,
        previous: previous?.object as ServedObject | undefined,
      })
    }
    this.#waiting.delete(first.key)
  }

  async #tell(key: Key, event: ObjectEvent): Promise<void> {
    const { host, handlers, concerns, contextOf, log } = this.#options
    const { signal } = this.#controller
    for (const handler of handlers) {
      if (signal.aborted) return
      const { id, options } = handler
      const timeoutMs = timeoutMsOf(options) ?? timeoutMsDefault
      try {
        if (!concerns(handler, event.object)) continue
        const limits = { host, timeoutMs, signal, what: `${id} for ${key}` }
        await callAuthor(limits, async (limited) =>
          handler.run(event, { ...contextOf(event.object, limited), signal: limited }),
        )
      } catch (error) {
        log.error({ handler: id, err: error }, 'an event handler failed')
      }
    }
  }
}
