import type { HttpHeaders, HttpResponse, PeerCertificate, TlsClientSettings } from '../http/http.ts'
import { declaredLength, isStream, receivedHeaders, switchingProtocols } from '../http/message.ts'
import { networkError, type NetworkFailure, timeoutError } from '../http/network-error.ts'
import { abortedError, onAbort } from '../on-abort.ts'
import { proxyRefusal, proxyUnreachable } from '../http/proxy-address.ts'
import { discardBody, type Pump } from '../http/pump-body.ts'
import type { SendableRequest } from '../http/sendable-request.ts'
import { ReceiveBuffer } from './receive-buffer.ts'
import type { EventQueue } from './event-queue.ts'
import type { Scheduler } from './scheduler.ts'
import type { ResponseChannel, VirtualCall } from './virtual-call.ts'
import type { VirtualServer } from './virtual-server.ts'
import type { SendBuffer, VirtualConnection } from './virtual-connection.ts'

/** The dependencies of a request. */
interface VirtualRequestOptions {
  readonly scheduler: Scheduler
  readonly connection: VirtualConnection
  readonly request: SendableRequest
  find(url: URL): VirtualServer | undefined
}

/** One request over a virtual connection, on the side of its client. */
export class VirtualRequest {
  readonly #options: VirtualRequestOptions
  readonly #what: string
  readonly #receiveBuffer: ReceiveBuffer
  readonly #requestBody: SendBuffer
  readonly #responseChannel: ResponseChannel
  #state: 'connecting' | 'connected' | 'answered' | 'over' = 'connecting'
  #settle: { resolve(response: HttpResponse): void; reject(error: unknown): void } | undefined
  #timeout: EventQueue | undefined
  #overdue: EventQueue | undefined
  #pump: Pump | undefined
  #uploaded = false
  #stopWaiting = (): void => undefined
  /** The running handlers: more than one when the request was delivered repeatedly. */
  readonly #calls: VirtualCall[] = []

  constructor(options: VirtualRequestOptions) {
    this.#options = options
    this.#what = options.request.what
    this.#receiveBuffer = new ReceiveBuffer({
      taken: (sizeBytes) => this.#responseChannel.sendBuffer.credit(sizeBytes),
      cancelled: () => this.#leave(undefined),
      drained: () => this.#complete(),
    })
    const { connection } = options
    this.#requestBody = connection.sendBuffer('up', {
      deliver: (chunk) => this.#calls.forEach((call) => call.deliver(chunk)),
      end: () => this.#calls.forEach((call) => call.endRequest()),
    })
    this.#responseChannel = {
      head: (status, headers) =>
        connection.send('down', { kind: 'response', run: () => this.#answer(status, headers) }),
      sendBuffer: connection.sendBuffer('down', this.#receiveBuffer),
      reset: () => connection.reset('down'),
    }
  }

  run(): Promise<HttpResponse> {
    const { scheduler, connection, request } = this.#options
    const { signal, connectTimeoutMs, timeoutMs } = request
    this.#stopWaiting = onAbort(signal, () => {
      if (signal !== undefined) this.#leave(abortedError(this.#what, signal))
    })
    this.#timeout = scheduler.after(connectTimeoutMs, {
      kind: 'timer',
      label: `connect timeout of ${this.#what}`,
      run: () => this.#leave(this.#error('NETWORK_CONNECT_FAILED', 'no connection in time')),
    })
    if (timeoutMs !== Infinity) {
      this.#overdue = scheduler.after(timeoutMs, {
        kind: 'timer',
        label: `timeout of ${this.#what}`,
        run: () => {
          if (!this.#receiveBuffer.isComplete) this.#leave(timeoutError(this.#what, timeoutMs))
        },
      })
    }
    connection.onReset.down = () => {
      // A response that was complete before the reset can still be read.
      if (this.#receiveBuffer.isComplete) this.#pump?.stop()
      else this.#fail(this.#error('NETWORK_CONNECTION_LOST', 'the connection was reset'))
    }
    connection.onReset.up = () => {
      for (const call of this.#calls) call.abandon()
    }
    connection.send('up', {
      kind: 'connect',
      run: () => this.#connect(),
      cut: () => this.#fail(this.#error('NETWORK_CONNECT_FAILED', 'the connection was reset')),
    })
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  #connect(): void {
    const { url, tls, proxy } = this.#options.request
    const isTunnel = proxy !== undefined && url.protocol === 'https:'
    this.#timeout?.silence()
    if (proxy !== undefined) {
      const proxyServer = this.#serverAt(proxy.url, {
        lost: isTunnel ? 'NETWORK_CONNECT_FAILED' : 'NETWORK_CONNECTION_LOST',
        words: (why) => proxyUnreachable(proxy, why),
      })
      // A tunnel leads to the target; the proxy responds to anything else itself.
      if (proxyServer !== undefined && !isTunnel) this.#handshake(proxyServer, undefined)
      if (proxyServer === undefined || !isTunnel) return
    }
    const server = this.#serverAt(url, { lost: 'NETWORK_CONNECTION_LOST', words: (why) => why })
    if (server !== undefined) this.#handshake(server, tls)
  }

  /** The server at this URL with the right protocol; without one the request fails. */
  #serverAt(
    url: URL,
    failure: { readonly lost: NetworkFailure; words(why: string): string },
  ): VirtualServer | undefined {
    const secure = url.protocol === 'https:'
    const server = this.#options.find(url)
    if (server?.isSecure === secure) return server
    const fail = (code: NetworkFailure, why: string) =>
      this.#fail(this.#error(code, failure.words(why)))
    if (server === undefined) fail('NETWORK_CONNECT_FAILED', `connection refused by ${url.host}`)
    else if (secure) fail('NETWORK_TLS_FAILED', 'the server does not speak TLS')
    else fail(failure.lost, 'the server closed the connection (it expects TLS)')
    return undefined
  }

  /** Imitates a TLS handshake: only the client certificate is passed on. */
  #handshake(server: VirtualServer, tls: TlsClientSettings | undefined): void {
    try {
      this.#send(server, server.certificateOf(tls))
    } catch (cause) {
      const why = 'the client certificate is unreadable'
      this.#fail(networkError('NETWORK_TLS_FAILED', this.#what, { why, cause }))
    }
  }

  #send(server: VirtualServer, certificate: PeerCertificate | undefined): void {
    const { connection, request } = this.#options
    try {
      request.beforeSend?.()
    } catch (error) {
      this.#leave(error)
      return
    }
    this.#state = 'connected'
    connection.send('up', { kind: 'request', run: () => this.#arrive(server, certificate) })
    if (!request.isUpgrade || !isStream(request.body)) this.#sendBody()
  }

  #sendBody(): void {
    const { request } = this.#options
    const sink = {
      end: () => {
        this.#uploaded = true
      },
      fail: (error: Error) => this.#leave(error),
    }
    this.#pump = this.#requestBody.send(request.body, sink, declaredLength(request.headers))
  }

  #arrive(server: VirtualServer, certificate: PeerCertificate | undefined): void {
    const { connection } = this.#options
    const { method, url, target, headers } = this.#options.request
    if (server.isClosing || server.isFull) {
      connection.reset('down')
      return
    }
    const isFirst = this.#calls.length === 0
    const call = server.accept({
      request: {
        method,
        path: target,
        headers: { host: url.host, ...receivedHeaders(headers) },
        headerValues: (name) => [headers[name] ?? []].flat(),
        peer: { address: '127.0.0.1', ...(certificate === undefined ? {} : { certificate }) },
      },
      responseChannel: isFirst ? this.#responseChannel : undefined,
      taken: (sizeBytes) => {
        if (isFirst) this.#requestBody.credit(sizeBytes)
      },
    })
    this.#calls.push(call)
  }

  #answer(status: number, headers: HttpHeaders): void {
    if (this.#state === 'over') return
    const { proxy, url } = this.#options.request
    if (proxy !== undefined && status === 407 && url.protocol === 'http:') {
      this.#leave(this.#error('NETWORK_CONNECT_FAILED', proxyRefusal(proxy, url, '407')))
      return
    }
    this.#state = 'answered'
    const { isUpgrade, body } = this.#options.request
    if (isUpgrade && isStream(body)) {
      if (status === switchingProtocols) this.#sendBody()
      else discardBody(body)
    }
    if (this.#options.request.timeoutOf === 'head') this.#overdue?.silence()
    this.#settle?.resolve({ status, headers, body: this.#receiveBuffer.body })
  }

  /** The whole response has been read: the server does not want the rest of the upload. */
  #complete(): void {
    this.#state = 'over'
    this.#stopWaiting()
    this.#overdue?.silence()
    if (this.#uploaded) return
    this.#pump?.stop()
    this.#options.connection.reset('up')
  }

  /** This side ends it: by an abort, by a body that threw, or by dropping the rest. */
  #leave(error: unknown): void {
    const { connection } = this.#options
    if (this.#state === 'over') return
    connection.queue('down').silence()
    if (this.#state === 'connecting') connection.queue('up').silence()
    else connection.reset('up')
    this.#fail(error)
  }

  #fail(error: unknown): void {
    if (this.#state === 'over') return
    const wasAnswered = this.#state === 'answered'
    this.#state = 'over'
    this.#stopWaiting()
    this.#timeout?.silence()
    this.#overdue?.silence()
    this.#pump?.stop()
    if (wasAnswered) this.#receiveBuffer.fail(error)
    else this.#settle?.reject(error)
  }

  #error(code: NetworkFailure, why: string) {
    return networkError(code, this.#what, { why })
  }
}
