import type { Bucket } from './bucket.ts'
import { CompactedError } from './store-errors.ts'
import type { StoreEvent } from './stored-object.ts'

/**
 * The history of one resource as one watch reads it: a position in the log. It has no queue: a slow
 * reader finds its events in the log, or gets an error (410 Gone) if they were compacted.
 */
export class WatchHistory {
  readonly #bucket: Bucket
  readonly #oldest: () => number
  #position: number

  constructor(bucket: Bucket, options: { readonly from: number; readonly oldest: () => number }) {
    this.#bucket = bucket
    this.#oldest = options.oldest
    this.#position = options.from
  }

  /** The revision of the last event taken, or the start of the watch. */
  get position(): number {
    return this.#position
  }

  /** The next event without taking it. */
  peek(): StoreEvent | undefined {
    return this.#bucket.eventAfter(this.#position)
  }

  /** The next event, if there is one. Throws `CompactedError` if it was compacted. */
  take(): StoreEvent | undefined {
    if (this.#position < this.#oldest()) throw new CompactedError(this.#oldest())
    const event = this.#bucket.eventAfter(this.#position)
    if (event !== undefined) this.#position = event.revision
    return event
  }

  /** Skips to a revision when the caller knows that there are no events until then. */
  skipTo(revision: number): void {
    if (revision > this.#position) this.#position = revision
  }

  /**
   * Calls `wake` once at the next write to the resource. The caller has taken all earlier events,
   * so the event of that write is the next one, regardless of compactions meanwhile. Returns a
   * function that cancels.
   */
  wait(wake: () => void): () => void {
    return this.#bucket.wait(({ revision }) => {
      this.skipTo(revision - 1)
      wake()
    })
  }
}
