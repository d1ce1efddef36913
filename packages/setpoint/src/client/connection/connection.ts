import type { HttpRequestHeaders, TlsClientSettings } from '../../host/index.ts'

/** The credentials and the trust settings of one request. */
export interface Credential {
  /** `authorization`, if the credential is a token or a password. */
  readonly headers: HttpRequestHeaders
  /** The trusted authorities, and the client certificate if there is one. */
  readonly tls: TlsClientSettings
}

/** A source of credentials. They may change while a process runs: tokens expire, files rotate. */
export interface CredentialSource {
  /** The credential for the next request. */
  current(): Promise<Credential>
  /**
   * The credential for the next request, if it is known without waiting; otherwise `undefined`. It
   * saves nearly all requests an `await`.
   */
  ready?(): Credential | undefined
  /**
   * The server refused a credential, the last one by default: get a new one, if possible. Many
   * requests may be refused together, and late: a credential that was already replaced must not
   * cause another replacement.
   */
  refused(credential?: Credential): void
}

/**
 * How to reach a cluster. `loadConnection` finds one; tests and embedding programs write their own.
 */
export interface Connection {
  /** The address of the API server; its path is a prefix of every request path. */
  readonly server: string
  readonly credentials: CredentialSource
  /** The namespace of the context, for bare names. */
  readonly namespace: string
  /** The name in messages: the context's name, or `in-cluster`. */
  readonly name: string
  /** The server's certificate is not verified: a process should warn about it when it starts. */
  readonly isInsecure?: boolean
  /**
   * The server runs in this process: no message is lost, and no message means that nothing
   * happened.
   */
  readonly isLocal?: boolean | undefined
  /** The proxy to reach the server, as in `HttpRequest.proxy`. It may contain a password. */
  readonly proxy?: string | undefined
}

/** Credentials that never change. */
export function fixedCredentials(credential: Partial<Credential>): CredentialSource {
  const fixed: Credential = { headers: {}, tls: {}, ...credential }
  return { current: async () => fixed, ready: () => fixed, refused: () => undefined }
}
