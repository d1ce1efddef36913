import type { Change, Key } from '../cache/index.ts'
import type { Host } from '../host/index.ts'
import type { ApiResource } from '../kinds/api-resource.ts'
import type { Logger } from '../log/index.ts'
import { callWithTimeout, timeoutMsOf } from './call-with-timeout.ts'
import type { EventHandler, ObjectEvent } from './declare/handler-declaration.ts'

/** The dependencies of a feed. */
interface EventFeedOptions {
  readonly host: Host
  readonly log: Logger
  readonly handlers: readonly EventHandler[]
  readonly matches: (handler: EventHandler, object: ApiResource) => boolean
  readonly contextOf: (object: ApiResource, signal: AbortSignal) => object
}

/**
 * How many events of one object are queued for slow handlers; beyond that the oldest are dropped.
 */
const waitingMax = 100

const timeoutMsDefault = 300_000

/**
 * Calls event handlers with every watch event: in order for one object, in parallel for different
 * ones.
 */
export class EventFeed {
  readonly #options: EventFeedOptions
  readonly #controller = new AbortController()
  /** The queued events of objects whose handlers are running. */
  readonly #waiting = new Map<Key, Change[]>()

  constructor(options: EventFeedOptions) {
    this.#options = options
  }

  push(change: Change): void {
    if (this.#controller.signal.aborted) return
    const waiting = this.#waiting.get(change.key)
    if (waiting === undefined) return void this.#deliverAll(change)
    if (waiting.length === waitingMax) {
      waiting.shift()
      this.#options.log.warn(
        { object: change.key },
        'event handlers are too slow: dropped the oldest event',
      )
    }
    waiting.push(change)
  }

  /** Delivers no more events; running handlers get an aborted signal. */
  stop(): void {
    this.#controller.abort()
  }

  async #deliverAll(first: Change): Promise<void> {
    const waiting = [first]
    this.#waiting.set(first.key, waiting)
    // The caller continues before the first handler is called.
    await Promise.resolve()
    for (let change = waiting.shift(); change !== undefined; change = waiting.shift()) {
      const { type, isInitial, current, previous } = change
      await this.#deliver(change.key, {
        type,
        isInitial,
        object: current.object as ApiResource,
        previous: previous?.object as ApiResource | undefined,
      })
    }
    this.#waiting.delete(first.key)
  }

  async #deliver(key: Key, event: ObjectEvent): Promise<void> {
    const { host, handlers, matches, contextOf, log } = this.#options
    const { signal } = this.#controller
    for (const handler of handlers) {
      if (signal.aborted) return
      const { id, options } = handler
      const timeoutMs = timeoutMsOf(options) ?? timeoutMsDefault
      try {
        if (!matches(handler, event.object)) continue
        const limits = { host, timeoutMs, signal, what: `${id} for ${key}` }
        await callWithTimeout(limits, async (limited) =>
          handler.run(event, { ...contextOf(event.object, limited), signal: limited }),
        )
      } catch (error) {
        log.error({ handler: id, object: key, err: error }, 'an event handler failed')
      }
    }
  }
}
