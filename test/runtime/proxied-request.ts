import type { HttpHeaders } from 'setpoint/host'

/** One request of a proxy, with its result. */
export interface ProxiedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: HttpHeaders
  readonly body: Uint8Array
  /**
   * The status of the response, or of the ERROR event of a watch; `undefined` without a response.
   */
  code: number | undefined
}

/** The response to a client, with the faults that its network allows. */
export interface ProxyResponse {
  head(status: number, headers: HttpHeaders): void
  write(chunk: Uint8Array): void
  /** Completes the response. */
  end(): void
  /** Closes the connection in order before the response is complete. */
  closeEarly(): void
  /** Resets the connection, even before the head of the response. */
  reset(): void
  /** Aborted when the client has closed the connection. */
  readonly clientClosed: AbortSignal
}

/** A listener for clients: on real sockets or a virtual network. */
export interface ProxyListener {
  readonly port: number
  /** Breaks all connections and refuses new ones. */
  close(): Promise<void>
  /** Listens at the same port again. */
  reopen(): Promise<void>
}

/** Handles a complete request. */
export type HandleRequest = (
  request: Pick<ProxiedRequest, 'method' | 'headers' | 'body'> & { readonly target: string },
  reply: ProxyResponse,
) => void

/** Whether a request is a watch. */
export function isWatch({ query }: Pick<ProxiedRequest, 'query'>): boolean {
  return query.get('watch') === 'true'
}

/** Whether a request reads a whole collection: a list, or a watch with initial events. */
export function isList({ method, path, query }: ProxiedRequest): boolean {
  if (method !== 'GET' || isCheck({ query })) return false
  if (isWatch({ query })) return query.get('sendInitialEvents') === 'true'
  return /\/[a-z]+s$/.test(path) && !/\/namespaces\/[^/]+\/[a-z]+\/[^/]+$/.test(path)
}

/** Whether a request only checks that a watch misses nothing (decision 0024). */
export function isCheck({ query }: Pick<ProxiedRequest, 'query'>): boolean {
  return query.get('timeoutSeconds') === '1' || query.get('limit') === '1'
}
