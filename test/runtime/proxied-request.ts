import type { HttpHeaders } from 'setpoint/host'

/** One request as a proxy saw it, and what became of it. */
export interface ProxiedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: HttpHeaders
  readonly body: Uint8Array
  /** The status of the answer, also one that a watch ended with; `undefined` when there was none. */
  code: number | undefined
}

/** The way back to a client, as far down as the network it came over allows. */
export interface ReplyLine {
  head(status: number, headers: HttpHeaders): void
  write(chunk: Uint8Array): void
  /** The answer is complete. */
  end(): void
  /** The connection ends in order, though the answer is not complete. */
  hangUp(): void
  /** The connection breaks, also before the head of the answer. */
  reset(): void
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal
}

/** What listens for clients: real sockets or a virtual network. */
export interface ProxyFront {
  readonly port: number
  /** Breaks all connections and refuses new ones. */
  close(): Promise<void>
  /** Listens at the same port again. */
  reopen(): Promise<void>
}

/** Takes a request that arrived whole and answers it. */
export type TakeRequest = (
  request: Pick<ProxiedRequest, 'method' | 'headers' | 'body'> & { readonly target: string },
  reply: ReplyLine,
) => void

/** Whether a request is a watch. */
export function isWatch({ query }: Pick<ProxiedRequest, 'query'>): boolean {
  return query.get('watch') === 'true'
}

/** Whether a request reads a whole collection: a list, or a watch that begins with one. */
export function isList({ method, path, query }: ProxiedRequest): boolean {
  if (method !== 'GET') return false
  if (isWatch({ query })) return query.get('sendInitialEvents') === 'true'
  return /\/[a-z]+s$/.test(path) && !/\/namespaces\/[^/]+\/[a-z]+\/[^/]+$/.test(path)
}
