import { createHash } from 'node:crypto'
import { joinBytes, type HttpBody, type ServerResponse } from 'setpoint/host'
import { FrameReader, serverFrame, WebSocketError, type Frame } from './websocket-frames.ts'
import { Outbox } from './outbox.ts'

type Headers = Readonly<Record<string, string>>

/** The GUID that RFC 6455 appends to a client's key. */
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const messageBytesMax = 16 * 1024 * 1024
const normalClosure = 1000

/** Whether a request asks for a WebSocket. */
export function asksForWebSocket(headers: Headers): boolean {
  const asks = (name: string, word: string): boolean =>
    (headers[name] ?? '')
      .toLowerCase()
      .split(/\s*,\s*/)
      .includes(word)
  return asks('connection', 'upgrade') && asks('upgrade', 'websocket')
}

/** The protocols that a client offers, in its order. */
export function offeredProtocols(headers: Headers): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
}

/**
 * The server side of a WebSocket. It answers pings, joins fragmented messages and answers a close.
 */
export class WebSocket {
  readonly #outbox = new Outbox()
  readonly #body: HttpBody

  constructor(body: HttpBody) {
    this.#body = body
  }

  /** The answer that switches the connection to the WebSocket protocol. */
  static answer(socket: WebSocket, headers: Headers, protocol: string): ServerResponse {
    const key = headers['sec-websocket-key'] ?? ''
    const accept = createHash('sha1').update(`${key}${magic}`).digest('base64')
    return {
      status: 101,
      headers: {
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-accept': accept,
        'sec-websocket-protocol': protocol,
      },
      body: socket.#outbox,
    }
  }

  async send(bytes: Uint8Array): Promise<void> {
    await this.#outbox.put(serverFrame('binary', bytes))
  }

  /** Closes the connection with a code for the client. */
  async close(code = normalClosure): Promise<void> {
    await this.#outbox.put(serverFrame('close', Uint8Array.of(code >> 8, code & 0xff)))
    this.#outbox.end()
  }

  /** The messages of the client, until it closes. */
  async *messages(): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = new FrameReader()
    let parts: Uint8Array[] = []
    try {
      for await (const bytes of this.#body) {
        for (const frame of reader.push(bytes)) {
          if (frame.kind === 'close') return
          if (await this.#isControl(frame)) continue
          parts.push(frame.payload)
          if (parts.reduce((sum, { length }) => sum + length, 0) > messageBytesMax) return
          if (!frame.isFinal) continue
          yield joinBytes(parts)
          parts = []
        }
      }
    } catch (error) {
      if (!(error instanceof WebSocketError)) throw error
      await this.close(error.code)
    }
  }

  async #isControl({ kind, payload }: Frame): Promise<boolean> {
    if (kind === 'ping') await this.#outbox.put(serverFrame('pong', payload))
    return kind === 'ping' || kind === 'pong'
  }
}
