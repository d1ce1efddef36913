import type * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { isSetpointError } from '../../../errors/index.ts'
import { createBody } from '../../http/body.ts'
import type { HttpBody, HttpRequest, HttpResponse } from '../../http/http.ts'
import { TCP_KEEP_ALIVE_MS } from '../../limits.ts'
import { declaredLength, isStream, mayHaveBody, receivedHeaders } from '../../http/message.ts'
import { networkError, timeoutError } from '../../http/network-error.ts'
import { abortedError, onAbort } from '../../on-abort.ts'
import { proxyHint, proxyRefusal, proxyUnreachable } from '../../http/proxy-address.ts'
import { discardBody, type Pump, pumpBody } from '../../http/pump-body.ts'
import { type SendableRequest, sendableRequest } from '../../http/sendable-request.ts'
import type { AgentPool } from './agent-pool.ts'
import { setNodeTimer } from '../node-timer.ts'
import { type ConnectionPhase, failureText, requestFailure } from './request-failure.ts'
import { endMessage, flushHead } from './send-message.ts'
import { isSafeToRepeat, sentOnLive, STALE } from './stale-connection.ts'
import { streamBody } from './stream-body.ts'
import { switchedResponse } from './switched-response.ts'
import { Tunnel } from './tunnel.ts'
import { http1Request } from './http1-client.ts'
import type { Http1Pool } from './http1-pool.ts'
import { nodeHttp } from './node-http.ts'

/** The pools of idle connections. */
interface Pools {
  readonly connections: Http1Pool
  /** For Node's own client: streamed uploads, upgrades and proxies. */
  readonly agents: AgentPool
}

/** Node passes the options of a request to its agent, which opens the connection through the tunnel. */
type TunnelledOptions = http.RequestOptions & { readonly tunnel: Tunnel | undefined }

/**
 * Sends one request: with our own client if possible, otherwise with Node's, for streamed uploads,
 * upgrades and proxies.
 */
export async function nodeRequest(pools: Pools, options: HttpRequest): Promise<HttpResponse> {
  // An invalid request rejects like any other failure.
  const request = sendableRequest(options)
  const { url, tls, proxy, isUpgrade } = request
  if (proxy === undefined && !isUpgrade && !isStream(request.body)) {
    return http1Request(pools.connections, request)
  }
  const isSecure = url.protocol === 'https:'
  const agent = isUpgrade
    ? pools.agents.agentForOne(isSecure, tls, proxy)
    : pools.agents.agentFor(isSecure, tls, proxy)
  return sentOnLive(request, async () => new Attempt(request, agent).run())
}

/** One request on one connection, from the first byte sent to the last one read. */
class Attempt {
  readonly #options: SendableRequest
  readonly #what: string
  readonly #request: http.ClientRequest
  /** Whether the first connection, to the target or to a proxy, uses TLS. */
  readonly #secure: boolean
  /** The tunnel through a proxy, when the pool has no connection. */
  readonly #tunnel: Tunnel | undefined
  #phase: ConnectionPhase = 'connecting'
  #bytesReadBefore = 0
  /** Why this side ended the request, if it did. */
  #reason: Error | undefined
  #pump: Pump | undefined

  constructor(options: SendableRequest, agent: http.Agent) {
    const { method, url, target, headers, proxy } = options
    const isTunnelled = proxy !== undefined && url.protocol === 'https:'
    const asked = isTunnelled ? url : (proxy?.url ?? url)
    this.#options = options
    this.#what = options.what
    this.#secure = asked.protocol === 'https:'
    this.#tunnel = isTunnelled ? new Tunnel(options, proxy) : undefined
    const tunnel = this.#tunnel
    try {
      const send = this.#secure ? https.request : nodeHttp.request
      // Node would copy every property of a URL for each request.
      const { hostname, port } = asked
      const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
      const to = port === '' ? { host } : { host, port }
      const sent: TunnelledOptions = { ...to, method, path: target, headers, agent, tunnel }
      this.#request = send(sent)
    } catch (cause) {
      // The request itself is valid: only the key material can be refused here.
      const why = cause instanceof Error ? cause.message : String(cause)
      throw networkError('NETWORK_TLS_FAILED', this.#what, { why, cause })
    }
  }

  run(): Promise<HttpResponse | typeof STALE> {
    const { signal, timeoutMs, timeoutOf } = this.#options
    const stopWaiting = onAbort(signal, () => {
      if (signal !== undefined) this.#end(abortedError(this.#what, signal))
    })
    const timeout =
      timeoutMs === Infinity
        ? undefined
        : setNodeTimer(timeoutMs, () => this.#end(timeoutError(this.#what, timeoutMs)))
    return new Promise((resolve, reject) => {
      this.#request
        .on('socket', (socket) => this.#watchConnection(socket))
        .on('response', (message) => {
          if (timeoutOf === 'head') timeout?.cancel()
          else message.once('end', () => timeout?.cancel())
          this.#dropUnsentBody()
          const refusal = this.#refusalOf(message)
          if (refusal === undefined) resolve(this.#respond(message))
          else reject(refusal)
        })
        .on('upgrade', (message, socket, head) => {
          resolve(switchedResponse(this.#options, { message, socket, head }))
        })
        .on('error', (error) => {
          if (this.#isStale(error)) resolve(STALE)
          else reject(this.#reason ?? this.#failure(error))
        })
        .on('close', () => {
          stopWaiting()
          timeout?.cancel()
          this.#pump?.stop()
        })
      if (this.#options.beforeSend === undefined) this.#send()
    })
  }

  #end(reason: Error): void {
    this.#reason ??= reason
    this.#request.destroy()
    this.#tunnel?.cancel()
  }

  /** The error: of the tunnel, of the proxy, or of the server. */
  #failure(error: Error): Error {
    if (isSetpointError(error)) return error
    const { proxy } = this.#options
    if (proxy === undefined || this.#tunnel !== undefined || this.#phase === 'established') {
      return requestFailure(this.#what, this.#phase, error)
    }
    const code = this.#phase === 'connecting' ? 'NETWORK_CONNECT_FAILED' : 'NETWORK_TLS_FAILED'
    const why = proxyUnreachable(proxy, failureText(error))
    return networkError(code, this.#what, { why, hint: proxyHint, cause: error })
  }

  /** A 407 comes from a proxy, never from the target: the target did not receive the request. */
  #refusalOf({ statusCode, statusMessage = '' }: http.IncomingMessage): Error | undefined {
    const { proxy, url } = this.#options
    if (proxy === undefined || this.#tunnel !== undefined || statusCode !== 407) return undefined
    const why = proxyRefusal(proxy, url, `407 ${statusMessage}`.trim())
    const refusal = networkError('NETWORK_CONNECT_FAILED', this.#what, { why, hint: proxyHint })
    this.#end(refusal)
    return refusal
  }

  #watchConnection(socket: Socket): void {
    this.#bytesReadBefore = socket.bytesRead
    if (this.#request.reusedSocket || !socket.connecting) {
      this.#established()
      return
    }
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
    const timeoutMs = this.#options.connectTimeoutMs
    const timeout = setNodeTimer(timeoutMs, () => {
      const { proxy } = this.#options
      const to = proxy === undefined ? '' : ` to the proxy ${proxy.name}`
      const why = `no connection${to} within ${timeoutMs} ms`
      this.#end(networkError('NETWORK_CONNECT_FAILED', this.#what, { why }))
    })
    const established = () => {
      timeout.cancel()
      this.#established()
    }
    socket.once('close', () => timeout.cancel())
    socket.once('connect', () => {
      this.#phase = 'handshaking'
      if (!this.#secure) established()
    })
    socket.once('secureConnect', established)
  }

  #established(): void {
    this.#phase = 'established'
    const { beforeSend } = this.#options
    if (beforeSend === undefined) return
    try {
      beforeSend()
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)))
      return
    }
    this.#send()
  }

  #send(): void {
    const { body, headers, isUpgrade } = this.#options
    if (!isStream(body) || isUpgrade) {
      endMessage(this.#request, isStream(body) ? undefined : body)
      return
    }
    flushHead(this.#request)
    const sink = {
      write: (chunk: Uint8Array) =>
        this.#request.write(chunk)
          ? undefined
          : new Promise<void>((resolve) => this.#request.once('drain', resolve)),
      end: () => void this.#request.end(),
      fail: (error: Error) => this.#end(error),
    }
    this.#pump = pumpBody(body, sink, declaredLength(headers))
  }

  /** The server does not switch to the protocol for which the body is. */
  #dropUnsentBody(): void {
    const { body, isUpgrade } = this.#options
    if (isUpgrade && isStream(body)) discardBody(body)
  }

  #isStale(error: Error): boolean {
    return (
      this.#reason === undefined &&
      this.#request.reusedSocket &&
      isSafeToRepeat(this.#options, error) &&
      this.#request.socket?.bytesRead === this.#bytesReadBefore
    )
  }

  #respond(message: http.IncomingMessage): HttpResponse {
    const status = message.statusCode ?? 0
    message.once('end', () => {
      if (this.#request.writableFinished) return
      // The response is complete: the server does not want the rest of the upload.
      this.#pump?.stop()
      this.#request.destroy()
    })
    return {
      status,
      headers: receivedHeaders(message.headers),
      body: this.#responseBody(message, status),
    }
  }

  #responseBody(message: http.IncomingMessage, status: number): HttpBody {
    if (!mayHaveBody(this.#options.method, status) || message.headers['content-length'] === '0') {
      // An empty body is not read, but the connection is free only after its end.
      message.resume()
      return createBody({ next: () => Promise.resolve(undefined), cancel: () => undefined })
    }
    return streamBody(message, {
      ended: () => this.#reason,
      lost: (cause) =>
        this.#reason ??
        networkError('NETWORK_CONNECTION_LOST', this.#what, {
          why: 'the connection closed before the end of the response',
          cause,
        }),
      cancel: () => this.#request.destroy(),
    })
  }
}
