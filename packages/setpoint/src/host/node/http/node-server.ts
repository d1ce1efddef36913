import type * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SetpointError } from '../../../errors/index.ts'
import { checkListen } from '../../http/check-listen.ts'
import { delayFrom } from '../../delay.ts'
import type { LogSink, Timer } from '../../host.ts'
import type {
  HttpServer,
  ListenOptions,
  ServerLimits,
  TlsServerIdentity,
  TlsServerSettings,
} from '../../http/http.ts'
import { CLOSE_GRACE_MS_DEFAULT, SERVER_KEEP_ALIVE_MS, TCP_KEEP_ALIVE_MS } from '../../limits.ts'
import { invalidCallError } from '../../invalid-call-error.ts'
import { errorText } from '../../http/network-error.ts'
import { serverUrl } from '../../http/server-url.ts'
import { NodeCall } from './node-call.ts'
import { refuse } from './refuse.ts'
import { setNodeTimer } from '../node-timer.ts'
import { nodeHttp } from './node-http.ts'

/** Listens on a real address. */
export async function nodeListen(sink: LogSink, options: ListenOptions): Promise<HttpServer> {
  checkListen(options)
  const server = new NodeServer(sink, options)
  await server.start()
  return server
}

class NodeServer implements HttpServer {
  readonly #sink: LogSink
  readonly #options: ListenOptions
  readonly #server: http.Server
  /** All connections by the address of their client, including those without a request. */
  readonly #sockets = new Map<string, Socket>()
  /** The calls in progress, each with the address of its client. */
  readonly #calls = new Map<NodeCall, string>()
  #closed: Promise<void> | undefined
  #graceTimer: Timer | undefined
  #cutAtMs = Infinity
  #port = 0

  constructor(sink: LogSink, options: ListenOptions) {
    this.#sink = sink
    this.#options = options
    const onRequest: http.RequestListener = (message, response) => this.#accept(message, response)
    const limits = headLimits(options.limits)
    this.#server =
      options.tls === undefined
        ? nodeHttp.createServer(limits, onRequest)
        : explained(options.tls, (tls) =>
            https.createServer({ ...limits, ...serverTls(tls) }, onRequest),
          )
    this.#server.keepAliveTimeout = SERVER_KEEP_ALIVE_MS
    // By default Node cuts every request after five minutes, also an active upload. The limit of
    // the headers stays; the handler decides how long a body may take.
    this.#server.requestTimeout = 0
    this.#server.on('upgrade', (message, socket, head) => this.#upgrade(message, socket, head))
    this.#server.on('connection', (socket: Socket) => this.#keep(socket))
    const { unknownMethod } = options
    if (unknownMethod !== undefined) {
      this.#server.on('clientError', (error, socket) => refuse(error, socket, unknownMethod))
    }
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return serverUrl(this.#options, this.#port)
  }

  start(): Promise<void> {
    const { hostname = '127.0.0.1', port = 0 } = this.#options
    return new Promise((resolve, reject) => {
      const refuse = (error: Error) => reject(listenFailure(`${hostname}:${port}`, error))
      this.#server.once('error', refuse)
      this.#server.listen(port, hostname, () => {
        this.#server.off('error', refuse)
        // After this an error (too many open files) concerns one connection, not the server.
        this.#server.on('error', (error) => this.#logError(error))
        // Stored, because a closed server has no address any more.
        this.#port = (this.#server.address() as AddressInfo).port
        resolve()
      })
    })
  }

  async close(options: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    const graceMs = delayFrom(options.graceMs ?? CLOSE_GRACE_MS_DEFAULT, 'graceMs')
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => {
        this.#graceTimer?.cancel()
        resolve()
      })
    })
    this.#closeIdle()
    const cutAtMs = performance.now() + graceMs
    if (graceMs === 0) this.#cut()
    else if (cutAtMs < this.#cutAtMs) {
      this.#cutAtMs = cutAtMs
      this.#graceTimer?.cancel()
      this.#graceTimer = setNodeTimer(graceMs, () => this.#cut())
    }
    await this.#closed
  }

  setTls(settings: TlsServerIdentity): void {
    const server = this.#server
    if (!(server instanceof https.Server)) {
      throw invalidCallError(
        `${this.url} does not speak TLS`,
        'pass tls to listen() before replacing it',
      )
    }
    explained(settings, (tls) => server.setSecureContext(secureContext(tls)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close({ graceMs: 0 })
  }

  /**
   * A client asks for another protocol: Node detaches the connection, and the response still has to
   * be written.
   */
  #upgrade(message: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined)
    if (head.length > 0) socket.unshift(head)
    const response = new nodeHttp.ServerResponse(message)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.once('finish', () => socket.end())
    this.#accept(message, response, socket)
  }

  #accept(message: http.IncomingMessage, response: http.ServerResponse, socket?: Duplex): void {
    const { limits } = this.#options
    const cut = (): void => void message.socket.destroy()
    const deadline = limits === undefined ? undefined : setNodeTimer(limits.exchangeMs, cut)
    const call = new NodeCall(
      {
        handle: this.#options.handle,
        log: (line) => this.#log(line),
        isClosing: () => this.#closed !== undefined,
        watching: () => deadline?.cancel(),
        finished: () => {
          deadline?.cancel()
          this.#calls.delete(call)
          // Node itself ends a connection a moment later, and more gracefully.
          if (this.#closed !== undefined) setImmediate(() => this.#closeIdle())
        },
      },
      { message, response, ...(socket === undefined ? {} : { socket }) },
    )
    this.#calls.set(call, clientAddress(message.socket))
    call.run().catch((error: unknown) => this.#logError(error))
  }

  #keep(socket: Socket): void {
    const address = clientAddress(socket)
    const { limits } = this.#options
    if (this.#sockets.size >= (limits?.connections ?? Infinity) && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
    this.#sockets.set(address, socket)
    socket.once('close', () => {
      if (this.#sockets.get(address) === socket) this.#sockets.delete(address)
    })
  }

  /** Closes the oldest connection without a request; `false` when there is none. */
  #makeRoom(): boolean {
    const busy = new Set(this.#calls.values())
    for (const [address, socket] of this.#sockets) {
      if (busy.has(address)) continue
      this.#sockets.delete(address)
      socket.destroy()
      return true
    }
    return false
  }

  /** Node's own `closeIdleConnections` skips connections with an incomplete request. */
  #closeIdle(): void {
    const busy = new Set(this.#calls.values())
    for (const [address, socket] of this.#sockets) if (!busy.has(address)) socket.destroy()
  }

  #cut(): void {
    for (const call of this.#calls.keys()) call.abort()
    for (const socket of this.#sockets.values()) socket.destroy()
  }

  #logError(error: unknown): void {
    const line = { level: 'error', msg: `the server ${this.url} failed`, error: errorText(error) }
    this.#log(JSON.stringify(line))
  }

  #log(line: string): void {
    try {
      this.#sink.log(line)
    } catch {
      // There is no other place to report it, and a client waits for its response.
    }
  }
}

/** Node checks the time of heads in intervals. */
function headLimits(limits: ServerLimits | undefined): https.ServerOptions {
  if (limits === undefined) return {}
  const { headMs } = limits
  const connectionsCheckingInterval = Math.ceil(headMs / 4)
  return { headersTimeout: headMs, handshakeTimeout: headMs, connectionsCheckingInterval }
}

/** Identifies a connection. With TLS the socket of a request is not the accepted one. */
function clientAddress(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}

/** Turns OpenSSL's error about unusable PEM text into an error with a hint. */
function explained<Tls, Result>(tls: Tls, use: (tls: Tls) => Result): Result {
  try {
    return use(tls)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SetpointError('NETWORK_TLS_FAILED', `a server cannot use its TLS settings: ${why}`, {
      hint: 'pass the certificate and its private key, both as PEM text',
      cause,
    })
  }
}

function serverTls(tls: TlsServerSettings): https.ServerOptions {
  return {
    ...secureContext(tls),
    requestCert: tls.requestClientCertificate ?? tls.clientCa !== undefined,
    // The handler gets the result of the verification and decides.
    rejectUnauthorized: false,
  }
}

function secureContext(tls: TlsServerIdentity) {
  return {
    cert: tls.cert,
    key: tls.key,
    ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa }),
  }
}

function listenFailure(address: string, cause: Error): SetpointError {
  const inUse = 'code' in cause && cause.code === 'EADDRINUSE'
  return new SetpointError(
    inUse ? 'NETWORK_ADDRESS_IN_USE' : 'NETWORK_CONNECT_FAILED',
    `could not listen on ${address}: ${cause.message}`,
    {
      hint: inUse
        ? 'stop the other server, or use another port (0 takes a free one)'
        : 'use an address of this machine and a port this user may open',
      cause,
    },
  )
}
