import type { Duration, HttpHeaders } from '../../host/index.ts'

/** One call of the API, before credentials, deadlines and retries. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the server's address. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Describes the call in errors: `update of Deployment default/web`. */
  readonly what: string
  readonly signal?: AbortSignal | undefined
  /** How long the whole call may take, including retries; `Infinity` for streams. */
  readonly timeout?: Duration | undefined
  /** The reader of the stream uses a chunk only until it asks for the next one. */
  readonly reusesBuffers?: boolean
  /** When the call has to end, if the caller decided that already; on the clock of `nowMs`. */
  readonly endMs?: number | undefined
}

/** A response that was read completely. */
export interface ApiAnswer {
  readonly headers: HttpHeaders
  readonly bytes: Uint8Array
}
