import type { Socket } from 'node:net'
import { NotHttpError, ResponseReader, type ResponseSink } from './response-reader.ts'

/** What one exchange hears of its connection, besides the answer. */
export interface ExchangeSink extends ResponseSink {
  /** The connection is over before the answer was; `undefined` when the other side just hung up. */
  lost(error: Error | undefined): void
}

/** One connection to a server, and the exchange that uses it. */
export class WireConnection {
  readonly socket: Socket
  /** Whether an exchange before this one used it. */
  isReused = false
  /** When it was put back, as a monotonic time. */
  freeSinceMs = 0
  #reader: ResponseReader | undefined
  #sink: ExchangeSink | undefined
  #error: Error | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.#data(chunk))
    socket.on('error', (error) => {
      this.#error = error
    })
    socket.on('end', () => this.#end())
    socket.on('close', () => this.#lose())
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable
  }

  /** Sends a request; the sink hears of its answer. */
  send(method: string, bytes: Uint8Array, sink: ExchangeSink): void {
    this.#reader = new ResponseReader(method, {
      head: (head) => sink.head(head),
      body: (chunk) => sink.body(chunk),
      end: (keepsAlive) => {
        this.#reader = undefined
        this.#sink = undefined
        sink.end(keepsAlive)
      },
    })
    this.#sink = sink
    this.socket.write(bytes)
  }

  #data(chunk: Buffer): void {
    // A server that speaks without being asked is not one to go on with.
    if (this.#reader === undefined) return void this.socket.destroy()
    try {
      this.#reader.push(chunk)
    } catch (error) {
      if (!(error instanceof NotHttpError)) throw error
      this.#error ??= error
      this.socket.destroy()
      this.#lose()
    }
  }

  #end(): void {
    if (this.#reader?.close() !== true) this.#lose()
  }

  #lose(): void {
    const sink = this.#sink
    this.#reader = undefined
    this.#sink = undefined
    sink?.lost(this.#error)
  }
}
