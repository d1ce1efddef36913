import { createBody } from '../http/body.ts'
import type { HttpBody } from '../http/http.ts'
import { Fifo } from './fifo.ts'

/** The callbacks of the receiving end of a stream. */
interface ReceiveBufferHooks {
  /** The reader took this many bytes: there is room for more. */
  taken(sizeBytes: number): void
  /** The reader dropped the rest. */
  cancelled(): void
  /** Everything up to the clean end has been taken. */
  drained(): void
}

/**
 * The receiving end of one direction of a virtual connection: received chunks that are not read
 * yet.
 */
export class ReceiveBuffer {
  readonly body: HttpBody
  readonly #hooks: ReceiveBufferHooks
  readonly #chunks = new Fifo<Uint8Array>()
  #state: 'open' | 'ended' | 'discarding' | 'failed' = 'open'
  #error: unknown
  #wake = (): void => undefined

  constructor(hooks: ReceiveBufferHooks) {
    this.#hooks = hooks
    this.body = createBody({ next: () => this.#next(), cancel: () => this.#cancel() })
  }

  /** Whether everything has arrived, read or not. */
  get isComplete(): boolean {
    return this.#state === 'ended'
  }

  deliver(chunk: Uint8Array): void {
    if (this.#state === 'discarding') this.#hooks.taken(chunk.length)
    if (this.#state !== 'open') return
    this.#chunks.push(chunk)
    this.#wake()
  }

  end(): void {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    if (this.#chunks.length === 0) this.#hooks.drained()
    this.#wake()
  }

  /** The connection broke. Unread chunks are lost, as with a real socket. */
  fail(error: unknown): void {
    if (this.#state === 'failed' || this.#state === 'discarding') return
    this.#state = 'failed'
    this.#error = error
    this.#chunks.clear()
    this.#wake()
  }

  /** Drops all current and future chunks. */
  discard(): void {
    if (this.#state !== 'open' && this.#state !== 'ended') return
    this.#state = 'discarding'
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      this.#hooks.taken(chunk.length)
    }
    this.#wake()
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) {
        this.#hooks.taken(chunk.length)
        if (this.#state === 'ended' && this.#chunks.length === 0) this.#hooks.drained()
        return chunk
      }
      if (this.#state === 'failed') throw this.#error
      if (this.#state !== 'open') return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #cancel(): void {
    this.discard()
    this.#hooks.cancelled()
  }
}
