import type * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import * as tls from 'node:tls'
import { invariant } from '../../../errors/index.ts'
import { TCP_KEEP_ALIVE_MS } from '../../limits.ts'
import { networkError, type NetworkFailure } from '../../http/network-error.ts'
import {
  authorityOf,
  proxyHint,
  proxyRefusal,
  type ProxyAddress,
  proxyUnreachable,
} from '../../http/proxy-address.ts'
import type { SendableRequest } from '../../http/sendable-request.ts'
import { setNodeTimer } from '../node-timer.ts'
import { failureText } from './request-failure.ts'
import { proxyTls } from './tls-settings.ts'
import { nodeHttp } from './node-http.ts'

/** The stage of a tunnel, which determines the error when it fails. */
type Stage =
  | 'connecting to the proxy'
  | 'TLS handshake with the proxy'
  | 'CONNECT to the proxy'
  | 'TLS handshake with the target'

/**
 * The path of one request through a proxy to a TLS server: a connection to the proxy, CONNECT, and
 * the handshake with the target. It is opened when the pool has no connection, and nothing of the
 * request is sent before it is open: after every failure of a tunnel a retry is safe.
 */
export class Tunnel {
  /** Only these parts of the request: a tunnel stays in memory as long as its connection. */
  readonly #request: Pick<SendableRequest, 'what' | 'url' | 'tls' | 'connectTimeoutMs'>
  readonly #proxy: ProxyAddress
  #stage: Stage = 'connecting to the proxy'
  #settle: ((outcome: tls.TLSSocket | Error) => void) | undefined
  /** The connection or request to destroy when the tunnel is cancelled. */
  #pending: { destroy(): unknown } | undefined

  constructor(request: SendableRequest, proxy: ProxyAddress) {
    const { what, url, tls: settings, connectTimeoutMs } = request
    this.#request = { what, url, tls: settings, connectTimeoutMs }
    this.#proxy = proxy
  }

  /** Opens the connection, ready for the request. */
  open(target: tls.ConnectionOptions): Promise<tls.TLSSocket> {
    const { connectTimeoutMs } = this.#request
    return new Promise((resolve, reject) => {
      const timeout = setNodeTimer(connectTimeoutMs, () => this.#overdue())
      this.#settle = (outcome) => {
        this.#settle = undefined
        timeout.cancel()
        if (outcome instanceof Error) {
          this.#pending?.destroy()
          reject(outcome)
        } else resolve(outcome)
      }
      this.#ask(target)
    })
  }

  /** Cancels; has no effect when the tunnel is open, or was never needed. */
  cancel(): void {
    this.#fail('NETWORK_CONNECT_FAILED', 'it was cancelled')
  }

  #ask(target: tls.ConnectionOptions): void {
    const { url: proxyUrl, isSecure, authorization } = this.#proxy
    const authority = authorityOf(this.#request.url)
    const headers = {
      host: authority,
      connection: 'keep-alive',
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    }
    const options = { method: 'CONNECT', path: authority, headers, agent: false }
    const asking = isSecure
      ? https.request(proxyUrl, { ...options, ...proxyTls(this.#proxy, this.#request.tls) })
      : nodeHttp.request(proxyUrl, options)
    this.#pending = asking
    asking
      .on('socket', (socket) => this.#watchProxy(socket))
      .on('error', (error) => this.#lost(error))
      .on('connect', (answer, socket) => this.#answered(answer, { socket, target }))
      .end()
  }

  #watchProxy(socket: Socket): void {
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
    socket.once('connect', () => {
      this.#stage = this.#proxy.isSecure ? 'TLS handshake with the proxy' : 'CONNECT to the proxy'
    })
    socket.once('secureConnect', () => {
      this.#stage = 'CONNECT to the proxy'
    })
  }

  #answered(
    answer: http.IncomingMessage,
    { socket, target }: { readonly socket: Socket; readonly target: tls.ConnectionOptions },
  ): void {
    this.#pending = socket
    // Without this listener an error of the socket would be uncaught and end the process.
    socket.on('error', () => undefined)
    const { statusCode: status = 0, statusMessage = '' } = answer
    if (status < 200 || status > 299) {
      const words = `${status} ${statusMessage}`.trim()
      this.#fail('NETWORK_CONNECT_FAILED', proxyRefusal(this.#proxy, this.#request.url, words))
      return
    }
    if (this.#settle === undefined) {
      socket.destroy()
      return
    }
    this.#stage = 'TLS handshake with the target'
    this.#handshake({ ...target, socket })
  }

  #handshake(options: tls.ConnectionOptions): void {
    try {
      const secured = tls.connect(options)
      this.#pending = secured
      secured.on('error', (error) => this.#lost(error))
      secured.once('close', () => this.#lost(new Error('the connection was closed')))
      secured.once('secureConnect', () => this.#settle?.(secured))
    } catch (cause) {
      // Unusable key material.
      this.#lost(cause)
    }
  }

  #lost(cause: unknown): void {
    const why = failureText(cause)
    const { name } = this.#proxy
    const authority = authorityOf(this.#request.url)
    switch (this.#stage) {
      case 'connecting to the proxy':
        this.#fail('NETWORK_CONNECT_FAILED', proxyUnreachable(this.#proxy, why), cause)
        break
      case 'TLS handshake with the proxy':
        this.#fail('NETWORK_TLS_FAILED', proxyUnreachable(this.#proxy, why), cause)
        break
      case 'CONNECT to the proxy': {
        const words = `the proxy ${name} did not respond to CONNECT ${authority}: ${why}`
        this.#fail('NETWORK_CONNECT_FAILED', words, cause)
        break
      }
      case 'TLS handshake with the target': {
        const words = `the handshake with ${authority} through the proxy ${name} failed: ${why}`
        this.#fail('NETWORK_TLS_FAILED', words, cause)
      }
    }
  }

  #overdue(): void {
    const { connectTimeoutMs, url } = this.#request
    const way = `${authorityOf(url)} through the proxy ${this.#proxy.name}`
    const why = `no connection to ${way} within ${connectTimeoutMs} ms (${this.#stage})`
    this.#fail('NETWORK_CONNECT_FAILED', why)
  }

  #fail(code: NetworkFailure, why: string, cause?: unknown): void {
    const isTarget = this.#stage === 'TLS handshake with the target'
    const detail = { why, cause, ...(isTarget ? {} : { hint: proxyHint }) }
    this.#settle?.(networkError(code, this.#request.what, detail))
  }
}

/** Pools connections through a proxy like direct ones; each request has its `Tunnel`. */
export class TunnelAgent extends https.Agent {
  override createConnection(
    options: https.RequestOptions & tls.ConnectionOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const tunnel = 'tunnel' in options ? options.tunnel : undefined
    invariant(tunnel instanceof Tunnel, 'a request through a proxy has a tunnel')
    // With an error Node wants no socket, although its types require one.
    const done = callback as ((error: Error | null, socket?: Duplex) => void) | undefined
    void tunnel.open(options).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error),
    )
  }
}
