import type { OutgoingMessage } from 'node:http'

const NOTHING = new Uint8Array(0)

/**
 * Sends the headers before the first chunk, because the receiver may want to respond to them.
 * Node's `flushHeaders` would write them as UTF-8, which changes Latin-1 values.
 */
export function flushHead(message: OutgoingMessage): void {
  const { socket } = message
  // Node delays a write to the end of its turn, unless the socket is already corked.
  socket?.cork()
  message.write(NOTHING)
  socket?.uncork()
}

/** Sends a payload that is known from the start; as bytes, for the same reason. */
export function endMessage(
  message: OutgoingMessage,
  payload: string | Uint8Array | undefined,
): void {
  if (payload === undefined) message.end()
  else message.end(typeof payload === 'string' ? Buffer.from(payload) : payload)
}
