import type { Duration, HttpHeaders } from '../../host/index.ts'

/** One call of the API, before credentials, deadlines and retries. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the server's address. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The call in words, for errors: `update of Deployment default/web`. */
  readonly what: string
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, retries included; `Infinity` for streams. */
  readonly timeout?: Duration | undefined
  /** The reader of a stream is done with a chunk when it asks for the next one. */
  readonly lendsChunks?: boolean
  /** When it has to be over, where that is already settled: as `nowMs` counts. */
  readonly endMs?: number | undefined
}

/** An answer that was read as a whole. */
export interface ApiAnswer {
  readonly headers: HttpHeaders
  readonly bytes: Uint8Array
}
