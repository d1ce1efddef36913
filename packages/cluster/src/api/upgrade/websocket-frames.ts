import { joinBytes } from 'setpoint/host'

/** The opcode of a frame. */
type FrameKind = 'continuation' | 'text' | 'binary' | 'close' | 'ping' | 'pong'

/** One frame as it was received. */
export interface Frame {
  readonly kind: FrameKind
  /** Whether it is the last frame of its message. */
  readonly isFinal: boolean
  readonly payload: Uint8Array
}

/** A protocol error of the client; `code` is the close code that it gets. */
export class WebSocketError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const opcodes: Readonly<Record<number, FrameKind>> = {
  0: 'continuation',
  1: 'text',
  2: 'binary',
  8: 'close',
  9: 'ping',
  10: 'pong',
}

const codes = Object.fromEntries(
  Object.entries(opcodes).map(([code, kind]) => [kind, Number(code)]),
) as Readonly<Record<FrameKind, number>>

/** The longest frame that is accepted, to limit memory. */
const payloadBytesMax = 4 * 1024 * 1024

const protocolError = 1002
const tooBig = 1009

/** Parses client frames from a stream of bytes in chunks of any size. */
export class FrameReader {
  #rest: Uint8Array = new Uint8Array(0)

  /** The frames that are complete with these bytes. */
  push(bytes: Uint8Array): Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : joinBytes([this.#rest, bytes])
    const frames: Frame[] = []
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): Frame | undefined {
    const data = this.#rest
    const [first, second] = data
    if (first === undefined || second === undefined) return undefined
    const kind = opcodes[first & 0x0f]
    const isControl = (first & 0x08) !== 0
    const isFinal = (first & 0x80) !== 0
    if (kind === undefined || (first & 0x70) !== 0) {
      throw new WebSocketError(protocolError, 'a frame has an unknown opcode or reserved bits')
    }
    if ((second & 0x80) === 0) {
      throw new WebSocketError(protocolError, 'a client must mask its frames')
    }
    const short = second & 0x7f
    if (isControl && (short > 125 || !isFinal)) {
      throw new WebSocketError(protocolError, 'a control frame is too long or in pieces')
    }
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0
    if (data.length < 2 + extra) return undefined
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    const length =
      extra === 0 ? short : extra === 2 ? view.getUint16(2) : Number(view.getBigUint64(2))
    if (length > payloadBytesMax) throw new WebSocketError(tooBig, 'a frame is too long')
    const start = 2 + extra + 4
    if (data.length < start + length) return undefined
    const mask = data.subarray(start - 4, start)
    const payload = data.slice(start, start + length)
    for (let index = 0; index < length; index += 1) {
      payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0)
    }
    this.#rest = data.subarray(start + length)
    return { kind, isFinal, payload }
  }
}

/** A frame of a server: final and without a mask. */
export function serverFrame(kind: FrameKind, payload: Uint8Array): Uint8Array {
  const { length } = payload
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8
  const frame = new Uint8Array(2 + extra + length)
  const view = new DataView(frame.buffer)
  frame[0] = 0x80 | codes[kind]
  frame[1] = extra === 0 ? length : extra === 2 ? 126 : 127
  if (extra === 2) view.setUint16(2, length)
  if (extra === 8) view.setBigUint64(2, BigInt(length))
  frame.set(payload, 2 + extra)
  return frame
}
