import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { SetpointError } from '../../errors/index.ts'
import type { LogSink, Timer } from '../host.ts'
import type { HttpServer, ListenOptions, TlsServerIdentity, TlsServerSettings } from '../http.ts'
import { CLOSE_GRACE_MS_DEFAULT, SERVER_KEEP_ALIVE_MS } from '../limits.ts'
import { misuse } from '../misuse.ts'
import { errorText } from '../network-error.ts'
import { serverUrl } from '../server-url.ts'
import { NodeCall } from './node-call.ts'
import { setNodeTimer } from './node-timer.ts'

/** Listens on a real address. */
export async function nodeListen(sink: LogSink, options: ListenOptions): Promise<HttpServer> {
  const server = new NodeServer(sink, options)
  await server.start()
  return server
}

class NodeServer implements HttpServer {
  readonly #sink: LogSink
  readonly #options: ListenOptions
  readonly #server: http.Server
  readonly #calls = new Set<NodeCall>()
  #closed: Promise<void> | undefined
  #graceTimer: Timer | undefined
  #port = 0

  constructor(sink: LogSink, options: ListenOptions) {
    this.#sink = sink
    this.#options = options
    const onRequest: http.RequestListener = (message, response) => this.#accept(message, response)
    this.#server =
      options.tls === undefined
        ? http.createServer(onRequest)
        : https.createServer(serverTls(options.tls), onRequest)
    this.#server.keepAliveTimeout = SERVER_KEEP_ALIVE_MS
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
        // From here on an error (too many open files) concerns one connection, not the server.
        this.#server.on('error', (error) => this.#logError(error))
        // Kept, because a closed server has no address any more.
        this.#port = (this.#server.address() as AddressInfo).port
        resolve()
      })
    })
  }

  close(options: { readonly graceMs?: number } = {}): Promise<void> {
    const { graceMs = CLOSE_GRACE_MS_DEFAULT } = options
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => {
        this.#graceTimer?.cancel()
        resolve()
      })
    })
    this.#server.closeIdleConnections()
    this.#graceTimer?.cancel()
    if (graceMs <= 0) this.#cut()
    else this.#graceTimer = setNodeTimer(graceMs, () => this.#cut())
    return this.#closed
  }

  setTls(settings: TlsServerIdentity): void {
    if (!(this.#server instanceof https.Server)) {
      throw misuse(`${this.url} does not speak TLS`, 'give tls to listen() before replacing it')
    }
    this.#server.setSecureContext(secureContext(settings))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close({ graceMs: 0 })
  }

  #accept(message: http.IncomingMessage, response: http.ServerResponse): void {
    const call = new NodeCall(
      {
        handle: this.#options.handle,
        log: (line) => this.#sink.log(line),
        isClosing: () => this.#closed !== undefined,
      },
      message,
      response,
    )
    this.#calls.add(call)
    response.on('close', () => {
      this.#calls.delete(call)
      // The connection becomes idle only after this event; a closing server has no use for it.
      if (this.#closed !== undefined) setImmediate(() => this.#server.closeIdleConnections())
    })
    call.run().catch((error: unknown) => this.#logError(error))
  }

  #cut(): void {
    for (const call of this.#calls) call.abort()
    this.#server.closeAllConnections()
  }

  #logError(error: unknown): void {
    const line = { level: 'error', msg: `the server ${this.url} failed`, error: errorText(error) }
    this.#sink.log(JSON.stringify(line))
  }
}

function serverTls(tls: TlsServerSettings): https.ServerOptions {
  return {
    ...secureContext(tls),
    requestCert: tls.requestClientCertificate ?? tls.clientCa !== undefined,
    // Whether a certificate was verified is told to the handler, which can then explain itself.
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
