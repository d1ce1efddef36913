/** The listener of a proxy in a virtual network. It loses responses by `intercept`. */
import { readBytes, type HttpHeaders, type Intercept, type VirtualHost } from 'setpoint/host'
import { serverOne } from '../../packages/setpoint/src/host/testdata/certificates.ts'
import type { ProxyListener, ProxyResponse, HandleRequest } from './proxied-request.ts'

const bodyBytesMax = 100_000_000

/**
 * The responses that a virtual network loses: `intercept` of the host, controlled by the fronts.
 */
export class LostResponses {
  readonly #lost = new Set<string>()

  readonly intercept: Intercept = ({ kind, method = '', url = '' }) => {
    if (kind !== 'response') return undefined
    return this.#lost.delete(`${method} ${url}`) ? 'cut' : undefined
  }

  /** Cuts off the next response to such a request. */
  add(method: string, url: string): void {
    this.#lost.add(`${method} ${url}`)
  }
}

/** Listens on a free port of the world, and after `reopen` on the same one. */
export async function openVirtualListener(
  { host, lost }: { readonly host: VirtualHost; readonly lost: LostResponses },
  handle: HandleRequest,
): Promise<ProxyListener> {
  const listen = (port: number) =>
    host.listen({
      port,
      tls: serverOne,
      handle: async (request) => {
        const { method, headers, path: target, signal } = request
        const body = await readBytes(request.body, bodyBytesMax)
        const reply = new VirtualResponse(signal, () =>
          lost.add(method, `https://127.0.0.1:${server.port}${target}`),
        )
        handle({ method, target, headers, body }, reply)
        return reply.response
      },
    })
  let server = await listen(0)
  return {
    port: server.port,
    close: () => server.close({ graceMs: 0 }),
    reopen: async () => {
      server = await listen(server.port)
    },
  }
}

interface ResponseParts {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: AsyncIterable<Uint8Array>
}

type End = 'open' | 'complete' | 'broken'

/** A response whose chunks are written into the stream that the handler returns. */
class VirtualResponse implements ProxyResponse {
  readonly clientClosed: AbortSignal
  readonly response: Promise<ResponseParts>
  readonly #loseResponse: () => void
  readonly #chunks: Uint8Array[] = []
  #resolve: (response: ResponseParts) => void = () => undefined
  #wake: () => void = () => undefined
  #end: End = 'open'
  #hasHead = false

  constructor(clientClosed: AbortSignal, loseResponse: () => void) {
    this.clientClosed = clientClosed
    this.#loseResponse = loseResponse
    this.response = new Promise((resolve) => (this.#resolve = resolve))
  }

  head(status: number, headers: HttpHeaders): void {
    this.#hasHead = true
    this.#resolve({ status, headers, body: this.#body() })
  }

  write(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#wake()
  }

  end(): void {
    this.#finish('complete')
  }

  /** A virtual network cannot end an incomplete response gracefully: it resets the connection. */
  closeEarly(): void {
    this.#finish('broken')
  }

  reset(): void {
    this.#finish('broken')
    if (this.#hasHead) return
    this.#loseResponse()
    this.head(200, {})
  }

  #finish(end: End): void {
    if (this.#end === 'open') this.#end = end
    this.#wake()
  }

  async *#body(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) yield chunk
      else if (this.#end === 'complete') return
      else if (this.#end === 'broken') throw new Error('the proxy breaks this connection')
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
