import {
  onAbort,
  type Host,
  type HttpBody,
  type HttpHandler,
  type HttpPayload,
  type HttpRequest,
  type HttpResponse,
  type PeerCertificate,
} from 'setpoint/host'
import { SetpointError } from 'setpoint'

/** Who asks over a door without a lock. */
export interface InProcessUser {
  readonly name: string
  readonly groups: readonly string[]
}

/** What is under way over the door. */
export interface InProcessTraffic {
  /** Requests without their whole answer, watches aside. */
  readonly requests: number
  /** Watches with something on the way that their reader has not taken. */
  readonly busyWatches: number
}

/** The host that programs inside of the cluster get: its API is a function call away. */
export interface InProcessHost extends Host {
  readonly traffic: InProcessTraffic
}

/** Where programs inside of the cluster find the API; nothing listens there. */
export const inProcessServer = 'http://cluster.in-process'

/**
 * A host whose requests reach the API without a network: as fast as a call, in the same order every time, and with the
 * certificate of a user whom the cluster trusts. Everything else is the real host's.
 */
export function inProcessHost(
  host: Host,
  handle: HttpHandler,
  { name, groups }: InProcessUser,
): InProcessHost {
  const traffic = { requests: 0, busyWatches: 0 }
  const certificate: PeerCertificate = {
    der: new TextEncoder().encode(name),
    subject: { CN: [name], O: groups },
    verified: true,
  }
  const peer = { address: '127.0.0.1', certificate }
  const request = async (asked: HttpRequest): Promise<HttpResponse> => {
    const path = asked.url.slice(inProcessServer.length)
    const isWatch = /[?&]watch=(1|true)/.test(path)
    const signal = asked.signal ?? neverAborted
    if (signal.aborted) throw aborted(asked, signal)
    traffic.requests += 1
    try {
      const { method } = asked
      const headers = joined(asked.headers)
      const body = bodyOf(asked.body, { signal, asked })
      const answer = await handle({ method, path, headers, body, signal, peer })
      const source = { signal, asked, ...(isWatch ? { traffic } : {}) }
      return {
        status: answer.status,
        headers: answer.headers ?? {},
        body: bodyOf(answer.body, source),
      }
    } finally {
      traffic.requests -= 1
    }
  }
  return { ...host, request, traffic }
}

/** Headers as a server sees them: one that was repeated has its values joined. */
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
  readonly asked: HttpRequest
  /** Counts a watch while it is not waiting for news. */
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

/** A stream whose reader hears of an abort at once, and whose source is told when nobody reads on. */
function streamedBody(payload: AsyncIterable<Uint8Array>, options: BodyOptions): HttpBody {
  const { signal, asked, traffic } = options
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
        if (signal.aborted) throw aborted(asked, signal)
        setBusy(false)
        const next = iterator.next()
        let stop = (): void => undefined
        const abort = new Promise<never>((_, reject) => {
          stop = onAbort(signal, () => {
            void iterator.return?.()
            reject(aborted(asked, signal))
          })
        })
        try {
          const result = await Promise.race([next, abort])
          setBusy(result.done !== true)
          return result.done === true ? end : { done: false, value: result.value }
        } finally {
          stop()
        }
      },
      return: async () => {
        setBusy(false)
        // Whoever waits for news hears nothing any more; the source need not have ended.
        void iterator.return?.()
        return end
      },
    }),
  }
}

function aborted({ method, url }: HttpRequest, signal: AbortSignal): SetpointError {
  const path = url.split('?')[0] ?? ''
  return new SetpointError('ABORTED', `${method} ${path} was aborted`, { cause: signal.reason })
}
