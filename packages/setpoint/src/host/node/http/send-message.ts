import type { OutgoingMessage } from 'node:http'

const NOTHING = new Uint8Array(0)

/**
 * Sends the headers before there is a first chunk, because the other side may want to answer them.
 * Node's `flushHeaders` would write them as UTF-8, in which a Latin-1 value comes out as another.
 */
export function flushHead(message: OutgoingMessage): void {
  const { socket } = message
  // Node keeps a write back for the rest of its turn, unless it finds the socket corked already.
  socket?.cork()
  message.write(NOTHING)
  socket?.uncork()
}

/** Sends a payload that is known as a whole; as bytes, for the same reason. */
export function endMessage(
  message: OutgoingMessage,
  payload: string | Uint8Array | undefined,
): void {
  if (payload === undefined) message.end()
  else message.end(typeof payload === 'string' ? Buffer.from(payload) : payload)
}
