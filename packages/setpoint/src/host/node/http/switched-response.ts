import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpResponse } from '../../http/http.ts'
import { isStream, receivedHeaders, switchingProtocols } from '../../http/message.ts'
import { networkError } from '../../http/network-error.ts'
import { pumpBody } from '../../http/pump-body.ts'
import type { SendableRequest } from '../../http/sendable-request.ts'
import { abortedError, onAbort } from '../../on-abort.ts'
import { streamBody } from './stream-body.ts'

/** A connection after the response that switched it to another protocol. */
interface SwitchedConnection {
  readonly message: IncomingMessage
  readonly socket: Duplex
  /** Bytes of the new protocol that arrived with the response. */
  readonly head: Buffer
}

/** The response of a server that switched to another protocol, and the two directions after it. */
export function switchedResponse(
  { what, signal, body }: SendableRequest,
  { message, socket, head }: SwitchedConnection,
): HttpResponse {
  let reason: Error | undefined
  const end = (error: Error): void => {
    reason ??= error
    socket.destroy()
  }
  // The reader of the body gets the error; without a listener it would end the process.
  socket.on('error', () => undefined)
  if (head.length > 0) socket.unshift(head)
  const stopWaiting = onAbort(signal, () => {
    if (signal !== undefined) end(abortedError(what, signal))
  })
  const sink = {
    write: (chunk: Uint8Array) =>
      socket.write(chunk)
        ? undefined
        : new Promise<void>((resolve) => socket.once('drain', resolve)),
    end: () => void socket.end(),
    fail: end,
  }
  const pump = isStream(body) ? pumpBody(body, sink, undefined) : undefined
  socket.once('close', () => {
    stopWaiting()
    pump?.stop()
  })
  return {
    status: switchingProtocols,
    headers: receivedHeaders(message.headers),
    body: streamBody(socket, {
      ended: () => reason,
      lost: (cause) =>
        reason ??
        networkError('NETWORK_CONNECTION_LOST', what, { why: 'the connection was reset', cause }),
      cancel: () => socket.destroy(),
    }),
  }
}
