import type { HttpHeaders } from '../host/index.ts'
import type { KeysConcerned } from './keys-in.ts'

/** A request to an HTTP source of an operator. */
export interface HttpSourceRequest {
  /**
   * The headers, with names in lower case. Check a signature first: anyone who reaches the port can
   * send.
   */
  readonly headers: HttpHeaders
  /** The body as it was received, for signatures. */
  readonly text: string
  /** Parses the body as JSON. Throws if it is not JSON; the client then gets status 400. */
  json(): unknown
}

/** An HTTP source as declared: `.httpSource(path, keysOf)`. */
export interface HttpSourceDeclaration {
  /** The path it is served at: `/events/github`. */
  readonly path: string
  readonly keysOf: (request: HttpSourceRequest) => KeysConcerned | Promise<KeysConcerned>
}
