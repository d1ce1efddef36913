import type { OnReadOpts, Socket } from 'node:net'
import { READ_BYTES } from '../../limits.ts'
import {
  NotHttpError,
  type ResponseHead,
  ResponseReader,
  type ResponseSink,
} from './response-reader.ts'

/** What one exchange hears of its connection, besides the answer. */
export interface ExchangeSink extends ResponseSink {
  /** The connection is over before the answer was; `undefined` when the other side just hung up. */
  lost(error: Error | undefined): void
}

/** Where a connection waits for its next request. */
interface ConnectionHome {
  readonly free: WireConnection[]
  readonly isKept: boolean
}

/** One connection to a server, and the exchange that uses it. */
export class WireConnection implements ResponseSink {
  readonly socket: Socket
  readonly home: ConnectionHome
  /** Whether an exchange before this one used it. */
  isReused = false
  /** When it was put back, as a monotonic time. */
  freeSinceMs = 0
  #reader: ResponseReader | undefined
  #sink: ExchangeSink | undefined
  #error: Error | undefined

  /** `open` begins to connect; what arrives goes into the buffer that it is given, and is told from there. */
  constructor(open: (read: OnReadOpts) => Socket, home: ConnectionHome) {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    const socket = open({
      buffer,
      callback: (length) => {
        // The next bytes come into the same place: who keeps some of these copies them.
        this.#data(buffer.subarray(0, length))
        return true
      },
    })
    this.socket = socket
    this.home = home
    socket.on('error', (error) => {
      this.#error = error
    })
    socket.on('end', () => this.#hungUp())
    socket.on('close', () => this.#lose())
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable
  }

  /** Sends a request; the sink hears of its answer. */
  send(method: string, bytes: Uint8Array, sink: ExchangeSink): void {
    this.#reader = new ResponseReader(method, this)
    this.#sink = sink
    this.socket.write(bytes)
  }

  head(head: ResponseHead): void {
    this.#sink?.head(head)
  }

  body(chunk: Uint8Array): void {
    this.#sink?.body(chunk)
  }

  end(keepsAlive: boolean): void {
    const sink = this.#sink
    this.#reader = undefined
    this.#sink = undefined
    sink?.end(keepsAlive)
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

  #hungUp(): void {
    if (this.#reader?.close() !== true) this.#lose()
  }

  #lose(): void {
    const sink = this.#sink
    this.#reader = undefined
    this.#sink = undefined
    sink?.lost(this.#error)
  }
}
