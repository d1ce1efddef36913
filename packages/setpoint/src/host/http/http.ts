/**
 * HTTP on both hosts: one request, one response, streaming bodies in both directions. A server can
 * switch a connection to another protocol (WebSocket): it responds with 101 and a stream; from then
 * on the bodies of request and response are the two directions of the connection.
 */

/** Header names in lower case; the values of a repeated header are joined by `, `. */
export type HttpHeaders = Readonly<Record<string, string>>

/** Headers to send: a list is sent as several headers, for servers that do not split at commas. */
export type HttpRequestHeaders = Readonly<Record<string, string | readonly string[]>>

/**
 * A body to send. An iterable is pulled only as fast as the other side reads. Its errors are not
 * translated: a request rejects with that error, a response logs it.
 */
export type HttpPayload = string | Uint8Array | AsyncIterable<Uint8Array>

/** The only reader of a body; `return` drops the rest of the body, even while `next` waits. */
export interface HttpBodyIterator extends AsyncIterator<Uint8Array, undefined, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>
}

/**
 * A body as it arrives. It can be read once, by one reader. Not pulling stops the sender (after
 * some buffering); leaving the loop drops the rest. It ends only when the sender ended it: when the
 * connection breaks before, the iterator throws `NETWORK_CONNECTION_LOST`.
 */
export interface HttpBody {
  [Symbol.asyncIterator](): HttpBodyIterator
  /**
   * The whole body, if it is complete and no reader has started; it then counts as read. It saves
   * the caller an `await`, which costs more than reading most bodies.
   */
  takeWhole?(): Uint8Array | undefined
}

/**
 * The client's certificate and the trusted authorities, as PEM text. The real host verifies every
 * server; the virtual host verifies none and only shows `cert` to the server.
 */
export interface TlsClientSettings {
  /** Authorities to trust instead of the system's. */
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** The server name to request and verify, when it differs from the name in the URL. */
  readonly serverName?: string | undefined
  /** Accept any certificate. The connection is then open to attacks. */
  readonly insecureSkipVerify?: boolean | undefined
}

/**
 * One request. Pass a `signal`: without one the request waits forever for a silent server. A
 * request that HTTP cannot express is refused with `HOST_MISUSED`, before anything is sent.
 */
export interface HttpRequest {
  /** In upper case; `CONNECT` is not supported. */
  readonly method: string
  /**
   * Absolute, `http:` or `https:`. Its query never appears in error messages. It must not contain
   * credentials: send them in a header, because URLs are logged everywhere.
   */
  readonly url: string
  /** Latin-1 only. A `content-length` must match the body; the host sets `transfer-encoding`. */
  readonly headers?: HttpRequestHeaders | undefined
  /**
   * The rest of it is dropped when the response is complete first. A request with the headers
   * `connection: Upgrade` and `upgrade` has no body of its own: a stream is sent after the server has
   * responded with 101, and the body of that response has the other direction.
   */
  readonly body?: HttpPayload | undefined
  /** Aborts the request, and the reading of the response body. */
  readonly signal?: AbortSignal | undefined
  readonly tls?: TlsClientSettings | undefined
  /** How long connecting may take, including the proxy and the TLS handshakes. */
  readonly connectTimeoutMs?: number | undefined
  /**
   * How long the response may take on a connection; then it fails with `NETWORK_TIMEOUT`. Unlimited
   * by default.
   */
  readonly timeoutMs?: number | undefined
  /** The part that the timeout covers: the whole response, or only its head, for streams. */
  readonly timeoutOf?: 'head' | 'end' | undefined
  /**
   * Called when the connection is ready, right before the first byte of the request is sent. When
   * it throws, nothing is sent and the request rejects with that error.
   */
  readonly beforeSend?: (() => void) | undefined
  /**
   * The reader uses a chunk of the response only until it asks for the next one, and copies what it
   * keeps. The host may then reuse memory, so that long streams need little of it.
   */
  readonly reusesBuffers?: boolean | undefined
  /**
   * The proxy to use: an absolute `http:` or `https:` URL. Credentials in it are sent to the proxy
   * and never appear in errors. An `https:` target is reached by CONNECT, so that the proxy sees
   * only its name; for an `http:` target the request to the proxy has the whole URL. A proxy that
   * cannot be reached or refuses (for `http:` targets: by a 407) is a `NETWORK_CONNECT_FAILED`.
   *
   * The certificate of an `https:` proxy is always verified by the system's authorities and
   * `tls.ca`, even with `tls.insecureSkipVerify`. The proxy never sees the client's certificate.
   */
  readonly proxy?: string | undefined
}

/**
 * The response, as soon as its headers have arrived. Read the body or drop it: it holds a socket.
 */
export interface HttpResponse {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: HttpBody
}

/** The part of a server's TLS settings that can be replaced while it runs. PEM text. */
export interface TlsServerIdentity {
  readonly cert: string
  readonly key: string
  /** The authorities that verify client certificates. */
  readonly clientCa?: string | undefined
}

/** A server's TLS settings. */
export interface TlsServerSettings extends TlsServerIdentity {
  /**
   * Ask clients for a certificate; a client without one is still served. By default yes when
   * `clientCa` is given. It cannot change while the server runs.
   */
  readonly requestClientCertificate?: boolean | undefined
}

/** A client certificate. */
export interface PeerCertificate {
  /** The certificate itself, DER encoded. */
  readonly der: Uint8Array
  /** The attributes of the subject, such as `{ CN: ['admin'], O: ['team-a', 'team-b'] }`. */
  readonly subject: Readonly<Record<string, readonly string[]>>
  /** Whether an authority in `clientCa` has signed it. Never trust a subject without this. */
  readonly verified: boolean
}

/** A request as a server receives it. */
export interface ServerRequest {
  readonly method: string
  /** As sent: with the query, not decoded. */
  readonly path: string
  readonly headers: HttpHeaders
  /**
   * The values of a header, one for each line of the request: in `headers` they are joined, and a
   * value may contain a comma itself.
   */
  readonly headerValues?: ((name: string) => readonly string[]) | undefined
  /**
   * A handler may ignore or drop it (for a 413): the response is still sent, the rest is discarded
   * meanwhile and for a moment after it, then the connection is closed.
   */
  readonly body: HttpBody
  /** Aborted when the client disconnects before it has the response, or when the server closes. */
  readonly signal: AbortSignal
  readonly peer: { readonly address: string; readonly certificate?: PeerCertificate }
}

/**
 * The response of a handler. With an iterable body the headers are sent immediately; its `return`
 * is called when the client disconnects, and when it throws the connection is reset, so that the
 * client can distinguish a broken body from a complete one.
 *
 * Status 101 with an `upgrade` header and an iterable body switches a request that asked for it to
 * another protocol: `request.body` then has the bytes that the client sends.
 */
export interface ServerResponse {
  readonly status: number
  /** A list is sent as one line for each value. */
  readonly headers?: HttpRequest['headers']
  readonly body?: HttpPayload | undefined
  /** The limit of the exchange ends with the head: the body is a watch, and may take hours. */
  readonly isWatch?: boolean | undefined
}

/**
 * Responds to one request. When it throws, the client gets a bare 500 and the error is logged; after
 * a `CutConnection` the connection breaks.
 */
export type HttpHandler = (request: ServerRequest) => Promise<ServerResponse>

/** How much of a server its clients can use. Both hosts enforce it. */
export interface ServerLimits {
  /**
   * How many connections are open at the same time. A further one replaces the oldest connection
   * without a request. When all have a request in progress, it is closed immediately.
   */
  readonly connections: number
  /** How long the TLS handshake and the head of a request may take. */
  readonly headMs: number
  /**
   * How long an exchange may take, from the head of the request to the end of the response, or to
   * its head if it is a watch. Then the connection is reset and the signal of the request is
   * aborted.
   */
  readonly exchangeMs: number
}

/** Where and how to listen. */
export interface ListenOptions {
  /** 127.0.0.1 by default, so that the server is not reachable from outside unless requested. */
  readonly hostname?: string | undefined
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined
  readonly tls?: TlsServerSettings | undefined
  /** By default only the time of heads is limited. */
  readonly limits?: ServerLimits | undefined
  readonly handle: HttpHandler
  /**
   * Answers a request with a method that HTTP parsers do not know, from its first line. Without it,
   * the client gets a bare 400.
   */
  readonly unknownMethod?: ((method: string, path: string) => ServerResponse) | undefined
}

/** A listening server. Disposing it is `close({ graceMs: 0 })`. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** The URL for clients on the same machine, without a trailing slash. */
  readonly url: string
  /**
   * Stops listening and ends idle connections immediately. Requests in progress may finish for
   * `graceMs`; then their signals are aborted and their connections are reset. Resolves when all
   * are closed. A second call with a shorter grace period shortens it; a longer one changes
   * nothing.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>
  /** Replaces the certificate for new connections; open connections keep theirs. */
  setTls(settings: TlsServerIdentity): void
}

/** Outgoing and incoming HTTP. */
export interface Network {
  /**
   * Whether no connection can be lost without a sign, as in a virtual network without faults. Then
   * silent connections need no checks.
   */
  readonly isLossless?: boolean | undefined
  /**
   * Resolves with the response's headers; rejects with a `NETWORK_` code, `ABORTED`, or the error
   * of the request's own body.
   */
  request(options: HttpRequest): Promise<HttpResponse>
  /**
   * Rejects with `NETWORK_ADDRESS_IN_USE` when the address is in use, and with `NETWORK_TLS_FAILED`
   * when the certificate or the key is unusable.
   */
  listen(options: ListenOptions): Promise<HttpServer>
}
