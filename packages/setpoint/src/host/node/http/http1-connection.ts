import type { OnReadOpts, Socket } from 'node:net'
import { READ_BYTES } from '../../limits.ts'
import {
  NotHttpError,
  type ResponseHead,
  ResponseReader,
  type ResponseSink,
} from './response-reader.ts'

/** Receives the response of an exchange, and the failure of its connection. */
export interface ExchangeSink extends ResponseSink {
  /** The connection ended before the response; `undefined` when the server just closed it. */
  lost(error: Error | undefined): void
}

/** The place of a connection in the pool. */
interface ConnectionHome {
  readonly free: Http1Connection[]
  readonly isKept: boolean
}

/** One connection to a server, and the exchange that uses it. */
export class Http1Connection implements ResponseSink {
  readonly socket: Socket
  readonly home: ConnectionHome
  /** Whether an earlier exchange used it. */
  isReused = false
  /** When it was put back, as a monotonic time. */
  freeSinceMs = 0
  #reader: ResponseReader | undefined
  #sink: ExchangeSink | undefined
  #error: Error | undefined

  /** `open` starts to connect; received bytes are written into the given buffer. */
  constructor(open: (read: OnReadOpts) => Socket, home: ConnectionHome) {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    const socket = open({
      buffer,
      callback: (length) => {
        // The next bytes overwrite these: a reader that keeps some copies them.
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

  /** A request will be sent; the sink receives its response, and a failure before. */
  begin(method: string, sink: ExchangeSink): void {
    this.#reader = new ResponseReader(method, this)
    this.#sink = sink
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
    // Bytes without a request: the connection cannot be trusted any more.
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
