import type { Change, Key } from '../cache/index.ts'
import type { Logger } from '../log/index.ts'
import type { ServedObject } from './essence.ts'
import type { EventHandler, ObjectEvent } from './handler-declaration.ts'

/** What feeding needs. */
interface EventFeedOptions {
  readonly log: Logger
  readonly handlers: readonly EventHandler[]
  readonly concerns: (handler: EventHandler, object: ServedObject) => boolean
  readonly contextOf: (object: ServedObject, signal: AbortSignal) => object
}

/** Tells handlers of everything a watch says: of one object in order, of different ones at the same time. */
export class EventFeed {
  readonly #options: EventFeedOptions
  readonly #controller = new AbortController()
  /** The last call of an object that is not over. */
  readonly #last = new Map<Key, Promise<void>>()

  constructor(options: EventFeedOptions) {
    this.#options = options
  }

  push({ type, key, current, previous, isInitial }: Change): void {
    if (this.#controller.signal.aborted) return
    const before = this.#last.get(key) ?? Promise.resolve()
    const call = before.then(async () =>
      this.#tell({
        type,
        isInitial,
        object: current.object as ServedObject,
        previous: previous?.object as ServedObject | undefined,
      }),
    )
    this.#last.set(key, call)
    void call.then(() => {
      if (this.#last.get(key) === call) this.#last.delete(key)
    })
  }

  /** Tells nothing more; those that are being told hear of it by their signal. */
  stop(): void {
    this.#controller.abort()
  }

  async #tell(event: ObjectEvent): Promise<void> {
    const { handlers, concerns, contextOf, log } = this.#options
    const { signal } = this.#controller
    for (const handler of handlers) {
      if (signal.aborted) return
      try {
        if (!concerns(handler, event.object)) continue
        await handler.run(event, { ...contextOf(event.object, signal), signal })
      } catch (error) {
        log.error({ handler: handler.id, err: error }, 'an event handler failed')
      }
    }
  }
}
