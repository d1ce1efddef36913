import { joinBytes } from '../http/body.ts'
import type { HttpPayload } from '../http/http.ts'
import { WINDOW_BYTES } from '../limits.ts'
import { isStream } from '../http/message.ts'
import { type BodySink, type Pump, pumpBody } from '../http/pump-body.ts'
import type { SeededRandom } from '../random/seeded-random.ts'
import type { VirtualEventKind } from './intercept.ts'
import type { EventQueue } from './event-queue.ts'
import type { Scheduler } from './scheduler.ts'

/** From the client to the server, or back. */
type Direction = 'up' | 'down'

/** One delivery over a connection. */
interface Delivery {
  readonly kind: VirtualEventKind
  readonly bytes?: Uint8Array
  run(): void
  /** The effect of a cut here; by default it resets both ends. */
  cut?(): void
}

/** The dependencies of a connection. */
interface VirtualConnectionOptions {
  readonly scheduler: Scheduler
  readonly connection: number
  readonly method: string
  readonly url: string
  /** When given, it splits and merges chunks as a real network does. */
  readonly chunking: SeededRandom | undefined
}

/** The other end of a stream, as its sender sees it. */
interface Receiver {
  deliver(chunk: Uint8Array): void
  end(): void
}

/** One connection, which carries one request: two queues of deliveries. */
export class VirtualConnection {
  readonly #options: VirtualConnectionOptions
  readonly #queues: Record<Direction, EventQueue>
  /** Called when a reset arrives; each end sets its own. */
  readonly onReset: Record<Direction, () => void> = { up: () => undefined, down: () => undefined }

  constructor(options: VirtualConnectionOptions) {
    this.#options = options
    this.#queues = { up: options.scheduler.queue(), down: options.scheduler.queue() }
  }

  queue(direction: Direction): EventQueue {
    return this.#queues[direction]
  }

  send(direction: Direction, delivery: Delivery): void {
    const { connection, method, url } = this.#options
    const { kind, bytes } = delivery
    const named = kind === 'connect' || kind === 'request' ? ` ${method} ${url}` : ''
    const size = bytes === undefined ? '' : ` ${bytes.length} bytes`
    const way = kind === 'reset' ? (direction === 'up' ? ' of server' : ' of client') : ''
    this.#queues[direction].push({
      label: `c${connection} ${kind}${way}${named}${size}`,
      kind,
      details: { connection, method, url, ...(bytes === undefined ? {} : { bytes }) },
      run: () => delivery.run(),
      cut: () => (delivery.cut === undefined ? this.cut() : delivery.cut()),
    })
  }

  /** Breaks the connection from one end. The other end notices when the reset arrives. */
  reset(direction: Direction): void {
    this.send(direction, { kind: 'reset', run: () => this.onReset[direction]() })
  }

  /**
   * Breaks the connection in the middle. Deliveries in progress are lost, and both ends get a
   * reset.
   */
  cut(): void {
    for (const direction of ['up', 'down'] as const) {
      this.#queues[direction].clear()
      this.reset(direction)
    }
  }

  /** The sending end of the stream in one direction. */
  sendBuffer(direction: Direction, receiver: Receiver): SendBuffer {
    return new SendBuffer(this, { ...this.#options, direction, receiver })
  }
}

/** The sending end of a stream: its writer waits while a window of bytes is unread. */
export class SendBuffer {
  readonly #connection: VirtualConnection
  readonly #options: VirtualConnectionOptions & { direction: Direction; receiver: Receiver }
  #unreadBytes = 0
  #resume: (() => void) | undefined

  constructor(
    connection: VirtualConnection,
    options: VirtualConnectionOptions & { direction: Direction; receiver: Receiver },
  ) {
    this.#connection = connection
    this.#options = options
  }

  /**
   * Sends a whole payload. A stream must match its announced length; its pump is returned, so that
   * it can be stopped.
   */
  send(
    payload: HttpPayload | undefined,
    sink: Pick<BodySink, 'end' | 'fail'>,
    lengthBytes: number | undefined,
  ): Pump | undefined {
    const end = () => {
      this.#end()
      sink.end()
    }
    if (!isStream(payload)) {
      if (payload !== undefined) void this.#write(copyOf(payload))
      end()
      return undefined
    }
    const write = (chunk: Uint8Array) => this.#write(copyOf(chunk))
    return pumpBody(payload, { write, end, fail: (error) => sink.fail(error) }, lengthBytes)
  }

  /** The reader took some bytes. A waiting writer resumes, unless the opposite queue is silenced. */
  credit(sizeBytes: number): void {
    const { scheduler, connection, direction } = this.#options
    this.#unreadBytes = Math.max(0, this.#unreadBytes - sizeBytes)
    if (this.#connection.queue(direction === 'up' ? 'down' : 'up').isSilent) return
    const resume = this.#resume
    if (resume === undefined || this.#unreadBytes >= WINDOW_BYTES) return
    this.#resume = undefined
    scheduler.soon({ label: `c${connection} room for ${direction}`, run: resume })
  }

  #write(chunk: Uint8Array): Promise<void> | undefined {
    if (chunk.length === 0) return undefined
    this.#unreadBytes += chunk.length
    for (const piece of this.#rechunked(chunk)) this.#sendChunk(piece)
    if (this.#unreadBytes < WINDOW_BYTES) return undefined
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }

  #end(): void {
    const { direction, receiver } = this.#options
    const kind = direction === 'up' ? 'request-end' : 'response-end'
    this.#connection.send(direction, { kind, run: () => receiver.end() })
  }

  #sendChunk(bytes: Uint8Array): void {
    const { direction, receiver } = this.#options
    const kind = direction === 'up' ? 'request-chunk' : 'response-chunk'
    let arrived = false
    const run = () => {
      // A repeated chunk takes room in the window again.
      if (arrived) this.#unreadBytes += bytes.length
      arrived = true
      receiver.deliver(bytes)
    }
    this.#connection.send(direction, { kind, bytes, run })
  }

  /** Randomly merges with a chunk that is not delivered yet, and randomly splits. */
  #rechunked(chunk: Uint8Array): Uint8Array[] {
    const { chunking, direction } = this.#options
    if (chunking === undefined) return [chunk]
    const before =
      chunking.below(2) === 0 ? this.#connection.queue(direction).takeBackChunk() : undefined
    const whole = before === undefined ? chunk : joinBytes([before, chunk])
    const at = chunking.below(2) === 0 ? chunking.below(whole.length) : 0
    return at === 0 ? [whole] : [whole.subarray(0, at), whole.subarray(at)]
  }
}

const utf8 = new TextEncoder()

/** A copy, because the writer may reuse its buffer. */
function copyOf(payload: string | Uint8Array): Uint8Array {
  return typeof payload === 'string' ? utf8.encode(payload) : new Uint8Array(payload)
}
