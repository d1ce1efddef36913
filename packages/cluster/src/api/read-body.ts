import type { HttpBody } from 'setpoint/host'
import { requestTooLarge, type ApiError } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import { timeoutMsOf } from './options/request-timeout.ts'

/** The largest request body that a real server reads. */
const requestBytesMax = 3 * 1024 * 1024

/** The time in which a real server completes a request. */
const bodyMsMax = 60_000

/** Bodies by request: a write that is retried after a conflict reads its body again. */
const bodies = new WeakMap<HttpBody, Promise<Uint8Array>>()

/** The body of a request did not arrive in time. */
export class BodyTimeoutError extends Error {
  override readonly name = 'BodyTimeoutError'
}

/** Reads a whole body; 413 when it is larger than a real server accepts. */
export async function readBody(request: ApiRequest): Promise<Uint8Array> {
  let bytes = bodies.get(request.body)
  if (bytes === undefined) {
    bytes = readOnce(request)
    bodies.set(request.body, bytes)
  }
  return bytes
}

async function readOnce(request: ApiRequest): Promise<Uint8Array> {
  const declared = Number(request.headers['content-length'] ?? '0')
  if (declared > requestBytesMax) throw tooLarge()
  const bytes = request.body.takeWhole?.() ?? (await readChunks(request))
  if (bytes.length > requestBytesMax) throw tooLarge()
  request.turns.count(bytes.length)
  return bytes
}

/** Reads a body as it arrives. The time is limited: a client may send slowly. */
async function readChunks({ body, server, info, bodies }: ApiRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const deadline = new AbortController()
  const iterator = body[Symbol.asyncIterator]()
  const timeoutMs = Math.min(timeoutMsOf(info) ?? bodyMsMax, bodyMsMax)
  const timer = server.host.setTimer(timeoutMs, () => {
    deadline.abort()
    void iterator.return()
  })
  try {
    for (;;) {
      const { value, done } = await iterator.next()
      if (deadline.signal.aborted) throw new BodyTimeoutError()
      if (done === true) return Buffer.concat(chunks)
      bodies.hold(value.length)
      size += value.length
      if (size > requestBytesMax) throw tooLarge()
      chunks.push(value)
    }
  } finally {
    bodies.release(size)
    timer.cancel()
    void iterator.return()
  }
}

function tooLarge(): ApiError {
  return requestTooLarge(`limit is ${requestBytesMax}`)
}
