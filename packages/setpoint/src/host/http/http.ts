/**
 * HTTP as both hosts speak it: one request, one response, bodies streamed both ways. A server can switch a connection
 * to another protocol (WebSocket): it answers 101 with a stream, and the bodies of request and answer are the two
 * directions of the connection from then on.
 */

/** Header names in lower case; a header that was repeated has its values joined by `, `. */
export type HttpHeaders = Readonly<Record<string, string>>

/** The same as they are sent: several values are a header each, for servers that do not look for commas. */
export type HttpRequestHeaders = Readonly<Record<string, string | readonly string[]>>

/**
 * What may be sent as a body. An iterable is pulled only as fast as the other side reads. When it
 * throws, its error is not translated: a request rejects with that very error, an answer logs it.
 */
export type HttpPayload = string | Uint8Array | AsyncIterable<Uint8Array>

/** The one reader of a body; `return` gives the rest of the body up, also while `next` waits. */
export interface HttpBodyIterator extends AsyncIterator<Uint8Array, undefined, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>
}

/**
 * A body as it arrives. It can be read once, by one reader. Not pulling stops the sender (after
 * some buffering); breaking out of the loop gives the rest up. It ends only when the sender ended
 * it: when the connection breaks before, the iterator throws `NETWORK_CONNECTION_LOST`.
 */
export interface HttpBody {
  [Symbol.asyncIterator](): HttpBodyIterator
  /** All of it, if all of it is here and nobody has begun to read: then it has been read. Waiting costs more than most bodies. */
  takeWhole?(): Uint8Array | undefined
}

/**
 * How a client proves itself and whom it trusts. All material is PEM text. The real host verifies
 * every server by it; the virtual host verifies none, it only shows `cert` to the server.
 */
export interface TlsClientSettings {
  /** Authorities to trust instead of the system's. */
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** The name to ask for and to verify, when it is not the URL's. */
  readonly serverName?: string | undefined
  /** Accept any certificate. It makes the connection worthless against an attacker. */
  readonly insecureSkipVerify?: boolean | undefined
}

/**
 * One request. Give a `signal`: without one a silent server is waited for, for ever. What HTTP
 * cannot carry is refused with `HOST_MISUSED`, before anything is sent.
 */
export interface HttpRequest {
  /** In upper case; `CONNECT` is not supported. */
  readonly method: string
  /**
   * Absolute, `http:` or `https:`. Its query never appears in error messages. It may not hold
   * credentials: they belong into a header, because URLs are logged everywhere.
   */
  readonly url: string
  /** Latin-1 at most. A `content-length` must be that of the body; `transfer-encoding` is ours. */
  readonly headers?: HttpRequestHeaders | undefined
  /** It is given up when the answer is complete before it. */
  readonly body?: HttpPayload | undefined
  /** Aborts the request, and also the reading of the response's body. */
  readonly signal?: AbortSignal | undefined
  readonly tls?: TlsClientSettings | undefined
  /** How long connecting (to the proxy and through it, with the TLS handshakes) may take. */
  readonly connectTimeoutMs?: number | undefined
  /** How long the answer may take on a connection; then it fails with `NETWORK_TIMEOUT`. For ever unless given. */
  readonly timeoutMs?: number | undefined
  /** What must be here by then: the end of the answer, or, for one that goes on and on, its head. */
  readonly timeoutOf?: 'head' | 'end' | undefined
  /**
   * The reader is done with a chunk of the answer when it asks for the next one: what it keeps it copies. A host that knows
   * may give it the same memory again, which long streams need little of then.
   */
  readonly lendsChunks?: boolean | undefined
  /**
   * The proxy to go through: an absolute `http:` or `https:` URL. Credentials in it are sent to the
   * proxy and never appear in errors. An `https:` target is reached by CONNECT, so that the proxy
   * sees only its name; an `http:` target is asked of the proxy by its whole URL. A proxy that
   * cannot be reached or refuses (for `http:` targets: by a 407) is a `NETWORK_CONNECT_FAILED`.
   *
   * An `https:` proxy must show a certificate of the system's authorities or of `tls.ca`, whatever
   * `tls.insecureSkipVerify` says, and never sees the client's certificate.
   */
  readonly proxy?: string | undefined
}

/** The answer, as soon as its headers are here. Read the body or give it up: it holds a socket. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: HttpBody
}

/** The part of a server's TLS settings that can be replaced while it runs. PEM text. */
export interface TlsServerIdentity {
  readonly cert: string
  readonly key: string
  /** The authorities by which client certificates are verified. */
  readonly clientCa?: string | undefined
}

/** A server's TLS settings. */
export interface TlsServerSettings extends TlsServerIdentity {
  /**
   * Ask clients for a certificate; a client without one is still served. The default is yes when
   * `clientCa` is given. It is fixed for the life of the server.
   */
  readonly requestClientCertificate?: boolean | undefined
}

/** A certificate that a client showed. */
export interface PeerCertificate {
  /** The certificate itself, DER encoded. */
  readonly der: Uint8Array
  /** The subject's attributes, such as `{ CN: ['admin'], O: ['team-a', 'team-b'] }`. */
  readonly subject: Readonly<Record<string, readonly string[]>>
  /** Whether an authority in `clientCa` vouches for it. Never trust a subject without it. */
  readonly verified: boolean
}

/** A request as a server sees it. */
export interface ServerRequest {
  readonly method: string
  /** As it was sent: with the query, not decoded. */
  readonly path: string
  readonly headers: HttpHeaders
  /**
   * Giving it up or ignoring it is fine (for a 413): the answer is still sent, meanwhile and for a
   * moment after it the rest is discarded, and then the connection is closed.
   */
  readonly body: HttpBody
  /** Aborted when the client went away before it had its answer, or when the server closes. */
  readonly signal: AbortSignal
  readonly peer: { readonly address: string; readonly certificate?: PeerCertificate }
}

/**
 * What a handler answers. With an iterable body the headers leave at once; its `return` is called
 * when the client goes away, and when it throws the connection is reset, so that the client can
 * tell a cut from a clean end.
 *
 * With status 101, an `upgrade` header and an iterable body a request that asked for it is switched to another protocol:
 * `request.body` then has whatever the client sends. The real host's own client does not ask for it; others do.
 */
export interface ServerResponse {
  readonly status: number
  readonly headers?: HttpHeaders | undefined
  readonly body?: HttpPayload | undefined
}

/** Answers one request. When it throws, the client gets a bare 500 and the log gets the error. */
export type HttpHandler = (request: ServerRequest) => Promise<ServerResponse>

/** Where and how to listen. */
export interface ListenOptions {
  /** 127.0.0.1 unless said otherwise: being reachable from outside is a decision. */
  readonly hostname?: string | undefined
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined
  readonly tls?: TlsServerSettings | undefined
  readonly handle: HttpHandler
}

/** A listening server. Disposing it is `close({ graceMs: 0 })`. */
export interface HttpServer extends AsyncDisposable {
  readonly port: number
  /** Where clients on the same machine reach it, without a trailing slash. */
  readonly url: string
  /**
   * Stops listening and ends idle connections at once. Requests under way may finish for
   * `graceMs`; then their signals are aborted and their connections are reset. Resolves when all
   * are gone. Calling it again with a shorter grace hastens the end, a longer one changes nothing.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>
  /** Replaces the certificate for new connections; the ones that are open keep theirs. */
  setTls(settings: TlsServerIdentity): void
}

/** Outgoing and incoming HTTP. */
export interface Network {
  /**
   * Resolves with the response's headers; rejects with a `NETWORK_` code, `ABORTED`, or the error
   * of the request's own body.
   */
  request(options: HttpRequest): Promise<HttpResponse>
  /**
   * Rejects with `NETWORK_ADDRESS_IN_USE` when the address is taken, and with `NETWORK_TLS_FAILED`
   * when the certificate or the key is unusable.
   */
  listen(options: ListenOptions): Promise<HttpServer>
}
