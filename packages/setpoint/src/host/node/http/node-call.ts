import type { IncomingMessage, ServerResponse as NodeResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type {
  HttpHandler,
  PeerCertificate,
  ServerRequest,
  ServerResponse,
} from '../../http/http.ts'
import { CutConnection } from '../../http/cut-connection.ts'
import { LINGER_MS } from '../../limits.ts'
import {
  checkResponse,
  declaredLength,
  framedHeaders,
  internalServerError,
  isStream,
  mayHaveBody,
  receivedHeaders,
  switchingProtocols,
} from '../../http/message.ts'
import { errorText, handlerFailureLine, requestBodyLost } from '../../http/network-error.ts'
import { peerCertificate } from '../../http/peer-certificate.ts'
import { discardBody, pumpBody } from '../../http/pump-body.ts'
import { setNodeTimer } from '../node-timer.ts'
import { endMessage, flushHead } from './send-message.ts'
import { discardRest, streamBody } from './stream-body.ts'

/** The part of its server that a call needs. */
interface NodeCallContext {
  readonly handle: HttpHandler
  readonly log: (line: string) => void
  /** A closing server does not keep connections for further requests. */
  isClosing(): boolean
  /** Called when the response is a watch, before its head is sent. */
  watching(): void
  /**
   * Called when the response is sent or the client has disconnected, and the request is complete.
   */
  finished(): void
}

/** A received request, and its response. */
interface NodeExchange {
  readonly message: IncomingMessage
  readonly response: NodeResponse
  /** The connection, when the client asked to switch to another protocol. */
  readonly socket?: Duplex
}

/** One request of a Node server, until its response is sent or its client has disconnected. */
export class NodeCall {
  readonly #context: NodeCallContext
  readonly #message: IncomingMessage
  readonly #response: NodeResponse
  readonly #socket: Duplex | undefined
  readonly #controller = new AbortController()

  constructor(context: NodeCallContext, { message, response, socket }: NodeExchange) {
    this.#context = context
    this.#message = message
    this.#response = response
    this.#socket = socket
    response.on('close', () => {
      if (!response.writableFinished) this.abort()
      this.#linger()
    })
    response.on('finish', () => {
      if (!message.readableEnded) discardRest(message)
    })
    // A broken connection is reported by 'close'; without a listener it would end the process.
    response.on('error', () => undefined)
  }

  /** Aborts the signal of the handler: no client waits for its response any more. */
  abort(): void {
    this.#controller.abort()
  }

  async run(): Promise<void> {
    const request = this.#request()
    let answer: ServerResponse
    let lengthBytes: number | undefined
    try {
      answer = await this.#context.handle(request)
      checkResponse(answer)
      if (answer.isWatch === true) this.#context.watching()
      if (answer.status === switchingProtocols && this.#switch(request, answer)) return
      lengthBytes = this.#writeHead(request.method, answer)
    } catch (error) {
      if (error instanceof CutConnection) {
        this.#message.socket.destroy()
        return
      }
      this.#context.log(handlerFailureLine(request, errorText(error)))
      answer = internalServerError
      this.#writeHead(request.method, answer)
    }
    this.#sendBody(request, answer, lengthBytes)
  }

  #request(): ServerRequest {
    const message = this.#message
    const method = message.method ?? 'GET'
    const path = message.url ?? '/'
    const certificate = certificateOf(message)
    return {
      method,
      path,
      headers: receivedHeaders(message.headers),
      headerValues: (name) => message.headersDistinct[name] ?? [],
      body: streamBody(this.#socket ?? message, {
        lost: () => requestBodyLost({ method, path }),
        cancel: () => discardRest(this.#socket ?? message),
      }),
      signal: this.#controller.signal,
      peer: {
        address: message.socket.remoteAddress ?? '',
        ...(certificate === undefined ? {} : { certificate }),
      },
    }
  }

  /** Passes the connection to the other protocol; `false` when the client did not ask for one. */
  #switch(request: ServerRequest, answer: ServerResponse): boolean {
    const socket = this.#socket
    if (socket === undefined || !isStream(answer.body)) return false
    this.#response.detachSocket(socket as Socket)
    const headers = Object.entries({ connection: 'upgrade', ...framedHeaders(answer, false) })
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1')
    const pump = pumpBody(
      answer.body,
      {
        write: (chunk) =>
          socket.write(chunk)
            ? undefined
            : new Promise<void>((resolve) => socket.once('drain', resolve)),
        end: () => void socket.end(),
        fail: (error) => {
          this.#context.log(handlerFailureLine(request, errorText(error)))
          socket.destroy()
        },
      },
      undefined,
    )
    socket.once('close', () => {
      this.abort()
      pump.stop()
      this.#context.finished()
    })
    return true
  }

  /** Returns the length of the body according to the headers. */
  #writeHead(method: string, answer: ServerResponse): number | undefined {
    const headers = framedHeaders(answer, mayHaveBody(method, answer.status))
    if (this.#context.isClosing()) this.#response.shouldKeepAlive = false
    this.#response.writeHead(answer.status, headers)
    return declaredLength(headers)
  }

  #sendBody(
    request: ServerRequest,
    { status, body }: ServerResponse,
    lengthBytes: number | undefined,
  ): void {
    const response = this.#response
    const hasBody = mayHaveBody(request.method, status)
    if (!isStream(body)) {
      endMessage(response, hasBody ? body : undefined)
      return
    }
    if (!hasBody || response.destroyed) {
      discardBody(body)
      response.end()
      return
    }
    flushHead(response)
    const sink = {
      write: (chunk: Uint8Array) =>
        response.write(chunk)
          ? undefined
          : new Promise<void>((resolve) => response.once('drain', resolve)),
      end: () => void response.end(),
      fail: (error: Error) => {
        if (!(error instanceof CutConnection)) {
          this.#context.log(handlerFailureLine(request, errorText(error)))
        }
        response.destroy()
      },
    }
    const pump = pumpBody(body, sink, lengthBytes)
    response.on('close', () => pump.stop())
  }

  /** Waits for the rest of the request, for a limited time. */
  #linger(): void {
    const message = this.#message
    const { socket } = message
    if (message.complete || socket.destroyed) {
      this.#context.finished()
      return
    }
    const timer = setNodeTimer(LINGER_MS, () => void socket.destroy())
    const leave = () => {
      timer.cancel()
      message.off('close', leave)
      socket.off('close', leave)
      this.#context.finished()
    }
    // Node does not report a closed connection on an answered request.
    message.once('close', leave)
    socket.once('close', leave)
  }
}

/**
 * Reading a certificate from OpenSSL costs more than a small request; a connection has only one.
 */
const certificates = new WeakMap<TLSSocket, PeerCertificate | 'none'>()

function certificateOf({ socket }: IncomingMessage): PeerCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined
  let known = certificates.get(socket)
  if (known === undefined) {
    const certificate: { raw?: Uint8Array; subject?: object } | null = socket.getPeerCertificate()
    const { raw, subject } = certificate
    const isThere = raw !== undefined && subject !== undefined
    known = isThere ? peerCertificate({ raw, subject }, socket.authorized) : 'none'
    certificates.set(socket, known)
  }
  return known === 'none' ? undefined : known
}
