import { type ErrorCode, isSetpointError, SetpointError } from '../../errors/index.ts'

/** One reason of a refusal, about one field. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/** The `Status` an API server answers with instead of an object. */
export interface ApiStatus {
  readonly code: number
  /** Kubernetes' word for it (`NotFound`, `Conflict`, ...); empty when the server gave none. */
  readonly reason: string
  readonly message: string
  readonly details?: {
    readonly causes?: readonly StatusCause[]
    readonly retryAfterSeconds?: number
    readonly [field: string]: unknown
  }
}

/** Where the HTTP status alone would not do. */
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
  API_CONFLICT: 'read the object again and repeat the change on what is there now',
  API_FORBIDDEN: 'give the user or service account a role that allows it',
  API_UNAUTHORIZED: 'check the credentials: a token may have expired',
}

/** An API server's refusal. Match on `code`, or on `status.reason` where Kubernetes' own word matters. */
export class ApiError extends SetpointError {
  readonly status: ApiStatus

  constructor(what: string, status: ApiStatus) {
    const code = errorCodeOf(status)
    // Quotas and webhooks forbid things, too: no role helps against them.
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

/** Whether a caught value is a refusal, whichever copy of the package it comes from. */
export function isApiError(error: unknown, ...codes: readonly ErrorCode[]): error is ApiError {
  return (
    isSetpointError(error) &&
    'status' in error &&
    (codes.length === 0 || codes.includes(error.code))
  )
}

/** Reads the `Status` out of the body of a failed answer; anything else becomes the message. */
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
    // Proxies answer with HTML: the text itself is then the best that can be said.
    return undefined
  }
}

/** A `Status` object as data, as it also arrives inside a watch. */
export function statusFrom(value: unknown): ApiStatus | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined
  if (value.kind !== 'Status') return undefined
  const { code, reason, message, details } = value as { [F in keyof ApiStatus]?: ApiStatus[F] }
  return {
    code: code ?? 0,
    reason: reason ?? '',
    message: message ?? 'no reason was given',
    ...(details === undefined ? {} : { details }),
  }
}
