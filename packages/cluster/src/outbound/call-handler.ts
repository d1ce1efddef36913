import { SetpointError } from 'setpoint'
import {
  CutConnection,
  onAbort,
  type HttpBody,
  type HttpHandler,
  type HttpPayload,
  type HttpRequest,
  type HttpResponse,
  type PeerCertificate,
} from 'setpoint/host'

/** The circumstances of a call. */
interface CallOptions {
  /** The path of the request, with its query. */
  readonly path: string
  readonly certificate?: PeerCertificate
  /** Counts a watch while it does not wait for an event. */
  readonly traffic?: { busyWatches: number }
}

/** Calls the handler of a server in this process as a request over a network would. */
export async function callHandler(
  handle: HttpHandler,
  sent: HttpRequest,
  { path, certificate, traffic }: CallOptions,
): Promise<HttpResponse> {
  const signal = sent.signal ?? neverAborted
  if (signal.aborted) throw aborted(sent, signal)
  const { method } = sent
  const headers = joined(sent.headers)
  const body = bodyOf(sent.body, { signal, sent })
  const peer = { address: '127.0.0.1', ...(certificate === undefined ? {} : { certificate }) }
  const headerValues = (name: string): readonly string[] => [sent.headers?.[name] ?? []].flat()
  const request = { method, path, headers, headerValues, body, signal, peer }
  const answer = await handle(request).catch((error: unknown) => {
    throw lostConnection(error, sent)
  })
  const source = { signal, sent, ...(traffic === undefined ? {} : { traffic }) }
  const { status } = answer
  return { status, headers: joined(answer.headers), body: bodyOf(answer.body, source) }
}

/** Headers as a server receives them: the values of a repeated header are joined. */
function joined(sent: HttpRequest['headers'] = {}): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(sent)) {
    headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return headers
}

const neverAborted = new AbortController().signal
const utf8 = new TextEncoder()
const end = { done: true, value: undefined } as const

interface BodyOptions {
  readonly signal: AbortSignal
  readonly sent: HttpRequest
  /** Counts a watch while it does not wait for an event. */
  readonly traffic?: { busyWatches: number }
}

function bodyOf(payload: HttpPayload | undefined, options: BodyOptions): HttpBody {
  if (payload === undefined || typeof payload === 'string' || payload instanceof Uint8Array) {
    return wholeBody(typeof payload === 'string' ? utf8.encode(payload) : payload)
  }
  return streamedBody(payload, options)
}

function wholeBody(bytes: Uint8Array | undefined): HttpBody {
  let left = bytes
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (left === undefined || left.length === 0) return end
        const value = left
        left = undefined
        return { done: false, value }
      },
      return: async () => end,
    }),
  }
}

/**
 * A stream whose reader is aborted immediately, and whose source is closed when the reader stops.
 */
function streamedBody(payload: AsyncIterable<Uint8Array>, options: BodyOptions): HttpBody {
  const { signal, sent, traffic } = options
  const iterator = payload[Symbol.asyncIterator]()
  let isBusy = false
  const setBusy = (isBusyNow: boolean): void => {
    if (traffic === undefined || isBusyNow === isBusy) return
    isBusy = isBusyNow
    traffic.busyWatches += isBusy ? 1 : -1
  }
  setBusy(true)
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (signal.aborted) throw aborted(sent, signal)
        setBusy(false)
        const next = iterator.next()
        let stop = (): void => undefined
        const abort = new Promise<never>((_, reject) => {
          stop = onAbort(signal, () => {
            void iterator.return?.()
            reject(aborted(sent, signal))
          })
        })
        try {
          const result = await Promise.race([next, abort]).catch((error: unknown) => {
            throw lostConnection(error, sent)
          })
          setBusy(result.done !== true)
          return result.done === true ? end : { done: false, value: result.value }
        } finally {
          stop()
        }
      },
      return: async () => {
        setBusy(false)
        // A waiting reader gets no more events; the source may still run.
        void iterator.return?.()
        return end
      },
    }),
  }
}

/** The error of a client whose connection the server broke; other errors are returned as they are. */
function lostConnection(error: unknown, { method, url }: HttpRequest): unknown {
  if (!(error instanceof CutConnection)) return error
  const path = url.split('?')[0] ?? ''
  return new SetpointError('NETWORK_CONNECTION_LOST', `${method} ${path}: ${error.message}`)
}

function aborted({ method, url }: HttpRequest, signal: AbortSignal): SetpointError {
  const path = url.split('?')[0] ?? ''
  return new SetpointError('ABORTED', `${method} ${path} was aborted`, { cause: signal.reason })
}
