import type { HttpRequestHeaders, TlsClientSettings } from '../../host/index.ts'

/** What a client shows and trusts on one request. */
export interface Credential {
  /** `authorization`, if the credential is a token or a password. */
  readonly headers: HttpRequestHeaders
  /** Whom to trust, and the client's certificate if it has one. */
  readonly tls: TlsClientSettings
}

/** Where credentials come from. They may change while a process runs: tokens expire, files rotate. */
export interface CredentialSource {
  /** The credential for the next request. */
  current(): Promise<Credential>
  /** The same where nothing has to be waited for, as for nearly all requests; `undefined` where it has. */
  ready?(): Credential | undefined
  /**
   * The server did not accept one, the last unless given: get another, if there is a way to. Requests are refused many at a
   * time, and late: one that has been replaced since is no reason to get yet another.
   */
  refused(credential?: Credential): void
}

/** How to reach a cluster. `loadConnection` finds one; tests and embedders write their own. */
export interface Connection {
  /** The address of the API server; a path in it goes in front of every request's. */
  readonly server: string
  readonly credentials: CredentialSource
  /** The namespace of the context: where a bare name is looked for. */
  readonly namespace: string
  /** What a person calls it, for messages: the context's name, or `in-cluster`. */
  readonly name: string
  /** The server's certificate is not verified: whoever starts a process on it should be told. */
  readonly isInsecure?: boolean
  /** The server is in this process: nothing is lost on the way, and silence means that nothing happened. */
  readonly isLocal?: boolean | undefined
  /** The proxy to reach the server through, as `HttpRequest.proxy` wants it. It may hold a password. */
  readonly proxy?: string | undefined
}

/** Credentials that never change. */
export function fixedCredentials(credential: Partial<Credential>): CredentialSource {
  const fixed: Credential = { headers: {}, tls: {}, ...credential }
  return { current: async () => fixed, ready: () => fixed, refused: () => undefined }
}
