import type { Bucket } from './bucket.ts'
import { CompactedError } from './store-errors.ts'
import type { StoreEvent } from './stored-object.ts'

/**
 * A position in the log of one resource. It holds no queue: a reader that is slow finds its events
 * still in the log, or learns that they were compacted away.
 */
export class StoreWatch {
  readonly #bucket: Bucket
  readonly #oldest: () => number
  #position: number

  constructor(bucket: Bucket, options: { readonly from: number; readonly oldest: () => number }) {
    this.#bucket = bucket
    this.#oldest = options.oldest
    this.#position = options.from
  }

  /** The revision of the last event taken, or where the watch began. */
  get position(): number {
    return this.#position
  }

  /** The next event if there is one now. Throws `CompactedError` when it was missed. */
  take(): StoreEvent | undefined {
    if (this.#position < this.#oldest()) throw new CompactedError(this.#oldest())
    const event = this.#bucket.eventAfter(this.#position)
    if (event !== undefined) this.#position = event.revision
    return event
  }

  /** Moves on without events, when the caller knows that there are none up to `revision`. */
  skipTo(revision: number): void {
    if (revision > this.#position) this.#position = revision
  }

  /**
   * Calls `wake` once at the next write to the resource; whoever waits has taken all events there were. However long that
   * takes, and whatever is compacted meanwhile, the event it is woken for is the next one. Returns the way to stop waiting.
   */
  wait(wake: () => void): () => void {
    return this.#bucket.wait(({ revision }) => {
      this.skipTo(revision - 1)
      wake()
    })
  }
}
