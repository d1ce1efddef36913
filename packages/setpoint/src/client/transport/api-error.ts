import { type ErrorCode, isSetpointError, SetpointError } from '../../errors/index.ts'

/** One cause of a refusal, for one field. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** The `Status` that an API server returns instead of an object. */
export interface ApiStatus {
  readonly code: number
  /** The reason of Kubernetes (`NotFound`, `Conflict`, ...); empty when the server sent none. */
  readonly reason: string
  readonly message: string
  /** With `API_EXPIRED` of a page: the token for the rest of the list, in its current state. */
  readonly metadata?: { readonly continue?: string }
  readonly details?: {
    readonly causes?: readonly StatusCause[]
    readonly retryAfterSeconds?: number
    readonly [field: string]: unknown
  }
}

/** Reasons that the HTTP status alone does not distinguish. */
const codeOfReason: Readonly<Record<string, ErrorCode>> = {
  AlreadyExists: 'API_ALREADY_EXISTS',
  Expired: 'API_EXPIRED',
}

const codeOfHttp: Readonly<Record<number, ErrorCode>> = {
  401: 'API_UNAUTHORIZED',
  403: 'API_FORBIDDEN',
  404: 'API_NOT_FOUND',
  409: 'API_CONFLICT',
  410: 'API_EXPIRED',
  422: 'API_INVALID',
  429: 'API_TOO_MANY_REQUESTS',
}

const hints: Partial<Record<ErrorCode, string>> = {
  API_CONFLICT: 'read the object again and repeat the change',
  API_FORBIDDEN: 'give the user or service account a role that allows it',
  API_UNAUTHORIZED: 'check the credentials: a token may have expired',
}

/**
 * A refusal by an API server. Match on `code`, or on `status.reason` for the reason of Kubernetes.
 */
export class ApiError extends SetpointError {
  readonly status: ApiStatus

  constructor(what: string, status: ApiStatus) {
    const code = errorCodeOf(status)
    // Quotas and webhooks also forbid requests: a role does not help then.
    const isOfRole = code !== 'API_FORBIDDEN' || / cannot /.test(status.message)
    const hint = isOfRole ? hints[code] : undefined
    super(code, `${what} was refused: ${status.message}`, hint === undefined ? {} : { hint })
    this.status = status
  }
}

function errorCodeOf({ code, reason }: ApiStatus): ErrorCode {
  const known = codeOfReason[reason] ?? codeOfHttp[code]
  if (known !== undefined) return known
  return code >= 500 ? 'API_UNAVAILABLE' : 'API_BAD_REQUEST'
}

/** Whether a caught value is a refusal, from any copy of the package. */
export function isApiError(error: unknown, ...codes: readonly ErrorCode[]): error is ApiError {
  return (
    isSetpointError(error) &&
    'status' in error &&
    (codes.length === 0 || codes.includes(error.code))
  )
}

/** Parses the `Status` in the body of a failed response; any other body becomes the message. */
export function statusOf(code: number, body: string): ApiStatus {
  const parsed = parsedStatus(body)
  if (parsed !== undefined) return { ...parsed, code }
  const text = body.trim().slice(0, 500)
  return { code, reason: '', message: text === '' ? `HTTP status ${code}` : text }
}

function parsedStatus(body: string): Omit<ApiStatus, 'code'> | undefined {
  try {
    return statusFrom(JSON.parse(body))
  } catch {
    // Proxies respond with HTML: then the text itself is the message.
    return undefined
  }
}

/** A `Status` object, which also arrives in a watch. */
export function statusFrom(value: unknown): ApiStatus | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  if (value.kind !== 'Status') return undefined
  const { code, reason, message, metadata, details } = value as {
    [F in keyof ApiStatus]?: ApiStatus[F]
  }
  return {
    code: code ?? 0,
    reason: reason ?? '',
    message: message ?? 'no reason was given',
    ...(metadata?.continue === undefined ? {} : { metadata: { continue: metadata.continue } }),
    ...(details === undefined ? {} : { details }),
  }
}
