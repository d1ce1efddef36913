import { delayFrom } from '../delay.ts'
import type {
  HttpServer,
  ListenOptions,
  PeerCertificate,
  TlsClientSettings,
  TlsServerIdentity,
} from '../http/http.ts'
import { CLOSE_GRACE_MS_DEFAULT } from '../limits.ts'
import { invalidCallError } from '../invalid-call-error.ts'
import { peerCertificateFromPem } from '../http/peer-certificate.ts'
import { serverUrl } from '../http/server-url.ts'
import type { EventQueue } from './event-queue.ts'
import type { Scheduler } from './scheduler.ts'
import { VirtualCall, type VirtualCallOptions } from './virtual-call.ts'

/** The dependencies of a virtual server. */
interface VirtualServerOptions {
  readonly scheduler: Scheduler
  readonly listen: ListenOptions
  readonly port: number
  readonly log: (line: string) => void
  /** Removes the server from the network. */
  readonly unregister: () => void
}

/** A server on a virtual network. */
export class VirtualServer implements HttpServer {
  readonly port: number
  readonly url: string
  readonly #options: VirtualServerOptions
  readonly #calls = new Set<VirtualCall>()
  #tls: TlsServerIdentity | undefined
  #lastShown:
    | {
        readonly pem: string
        readonly clientCa: string | undefined
        readonly certificate: PeerCertificate
      }
    | undefined
  #closed: Promise<void> | undefined
  #resolveClosed = (): void => undefined
  #graceTimer: EventQueue | undefined
  #cutAtMs = Infinity

  constructor(options: VirtualServerOptions) {
    this.#options = options
    this.#tls = options.listen.tls
    this.port = options.port
    this.url = serverUrl(options.listen, options.port)
  }

  get isSecure(): boolean {
    return this.#tls !== undefined
  }

  get isClosing(): boolean {
    return this.#closed !== undefined
  }

  /** Whether it has as many requests in progress as its limits allow. */
  get isFull(): boolean {
    return this.#calls.size >= (this.#options.listen.limits?.connections ?? Infinity)
  }

  /** The client certificate as this server sees it, if it asks for one. */
  certificateOf(client: TlsClientSettings | undefined): PeerCertificate | undefined {
    const tls = this.#options.listen.tls
    const asks = tls?.requestClientCertificate ?? tls?.clientCa !== undefined
    const pem = client?.cert
    if (!asks || pem === undefined) return undefined
    // A client shows the same certificate repeatedly; verifying it costs more than a request.
    if (this.#lastShown?.pem !== pem || this.#lastShown.clientCa !== this.#tls?.clientCa) {
      const clientCa = this.#tls?.clientCa
      this.#lastShown = { pem, clientCa, certificate: peerCertificateFromPem(pem, clientCa) }
    }
    return this.#lastShown.certificate
  }

  /** Passes a request that arrived to the handler. */
  accept(
    options: Omit<VirtualCallOptions, 'scheduler' | 'handle' | 'log' | 'finished' | 'watching'>,
  ): VirtualCall {
    const { scheduler, listen } = this.#options
    let deadline: EventQueue | undefined
    const call = new VirtualCall({
      ...options,
      scheduler,
      handle: listen.handle,
      log: this.#options.log,
      watching: () => deadline?.silence(),
      finished: (finished) => {
        deadline?.silence()
        this.#calls.delete(finished)
        this.#closeWhenIdle()
      },
    })
    if (listen.limits !== undefined) {
      const label = `exchange limit of ${this.url}`
      const cut = (): void => call.cut()
      deadline = scheduler.after(listen.limits.exchangeMs, { kind: 'timer', label, run: cut })
    }
    this.#calls.add(call)
    void call.run()
    return call
  }

  async close(options: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    const { scheduler } = this.#options
    const graceMs = delayFrom(options.graceMs ?? CLOSE_GRACE_MS_DEFAULT, 'graceMs')
    if (this.#closed === undefined) {
      this.#options.unregister()
      this.#closed = new Promise((resolve) => {
        this.#resolveClosed = resolve
      })
    }
    const cut = () => {
      for (const call of this.#calls) call.cut()
    }
    const cutAtMs = scheduler.nowMs + graceMs
    if (graceMs === 0) cut()
    else if (this.#calls.size > 0 && cutAtMs < this.#cutAtMs) {
      this.#cutAtMs = cutAtMs
      this.#graceTimer?.silence()
      const label = `grace of ${this.url}`
      this.#graceTimer = scheduler.after(graceMs, { kind: 'timer', label, run: cut })
    }
    this.#closeWhenIdle()
    await this.#closed
  }

  setTls(settings: TlsServerIdentity): void {
    if (this.#tls === undefined) {
      throw invalidCallError(
        `${this.url} does not speak TLS`,
        'pass tls to listen() before replacing it',
      )
    }
    this.#tls = settings
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close({ graceMs: 0 })
  }

  #closeWhenIdle(): void {
    if (this.#closed === undefined || this.#calls.size > 0) return
    this.#graceTimer?.silence()
    this.#resolveClosed()
  }
}
