import type { FieldError } from 'setpoint/schema'

/** One entry of `details.causes` of a Status. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

/**
 * The `details` of a Status; `kind` is the plural resource name, except in an Invalid, where it is
 * the kind.
 */
interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The Status object with the outcome of a request. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

/** The input of an ApiError. */
interface Refusal {
  readonly code: number
  readonly message: string
  readonly reason?: string | undefined
  readonly details?: StatusDetails | undefined
  /** A new continue token: only with an expired list. */
  readonly continueToken?: string | undefined
}

/** An error response: thrown anywhere, converted to the response in one place. */
export class ApiError extends Error {
  readonly status: Status

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'ApiError'
    const { code, message, reason, details, continueToken } = refusal
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: continueToken === undefined ? {} : { continue: continueToken },
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    }
  }

  get code(): number {
    return this.status.code ?? 500
  }
}

/** A resource in messages: `deployments.apps`, `pods`. */
interface GroupResource {
  readonly group: string
  readonly resource: string
}

/** `resource.group`, or the resource alone in the core group. */
export function groupResourceText({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`
}

function detailsOf({ group, resource }: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  }
}

/** 400: a request that cannot be parsed. */
export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'BadRequest', message })
}

/** 401. */
export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })
}

/** 403 about an object, or without a name about the resource. */
export function forbidden(where: GroupResource, name: string, why: string): ApiError {
  const subject = groupResourceText(where) + (name === '' ? '' : ` "${name}"`)
  const details = detailsOf(where, name)
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details,
  })
}

/** 404 for an object. */
export function notFound(where: GroupResource, name: string): ApiError {
  const message = `${groupResourceText(where)} "${name}" not found`
  return new ApiError({ code: 404, reason: 'NotFound', message, details: detailsOf(where, name) })
}

/** 404 for a resource, a version or a subresource that is not served. */
export function unknownResource(): ApiError {
  const message = 'the server could not find the requested resource'
  return new ApiError({ code: 404, reason: 'NotFound', message, details: {} })
}

/** 405. */
export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource'
  return new ApiError({ code: 405, reason: 'MethodNotAllowed', message, details: {} })
}

/** 405 of a custom resource, with the unsupported verb. */
export function unsupportedVerb(where: GroupResource, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind "${groupResourceText(where)}"`
  const details = detailsOf(where, '')
  return new ApiError({ code: 405, reason: 'MethodNotAllowed', message, details })
}

/** 409 for an existing name. */
export function alreadyExists(where: GroupResource, name: string, prefix = ''): ApiError {
  const message = `${prefix}${groupResourceText(where)} "${name}" already exists`
  const details = detailsOf(where, name)
  return new ApiError({ code: 409, reason: 'AlreadyExists', message, details })
}

/** 409 for an object with `generateName`, even if the client chose its name. */
export function generatedNameExists(where: GroupResource, name: string, prefix: string): ApiError {
  const message = `${prefix}${groupResourceText(where)} "${name}" already exists, the server was not able to generate a unique name for the object`
  const details = { ...detailsOf(where, name), retryAfterSeconds: 1 }
  return new ApiError({ code: 409, reason: 'AlreadyExists', message, details })
}

/** 409: the object changed since the client read it. */
export function conflict(where: GroupResource, name: string, why: string): ApiError {
  const subject = `${groupResourceText(where)} "${name}"`
  const message = `Operation cannot be fulfilled on ${subject}: ${why}`
  return new ApiError({ code: 409, reason: 'Conflict', message, details: detailsOf(where, name) })
}

/** 409 for a stale resourceVersion. */
export function staleObject(where: GroupResource, name: string): ApiError {
  const why =
    'the object has been modified; please apply your changes to the latest version and try again'
  return conflict(where, name, why)
}

/** 422 with the field errors of an object. */
export function invalidObject(
  about: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))]
  const kind = about.group === '' ? about.kind : `${about.kind}.${about.group}`
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
  const causes = errors.map(({ type, message, field }) => ({ reason: type, message, field }))
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${kind} "${name}" is invalid: ${list}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(about.group === '' ? {} : { group: about.group }),
      ...(about.kind === '' ? {} : { kind: about.kind }),
      causes,
    },
  })
}

/** 504: the client did not send its request in time. */
export function requestTimeout(): ApiError {
  const message = 'Timeout: request did not complete within the allotted timeout'
  return new ApiError({ code: 504, reason: 'Timeout', message, details: {} })
}

/** 413: larger, or more work, than a server accepts. */
export function requestTooLarge(why: string): ApiError {
  const message = `Request entity too large: ${why}`
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message })
}

/** 500 with the message of Kubernetes for an internal error. */
export function internalError(message: string): ApiError {
  const text = `Internal error occurred: ${message}`
  return new ApiError({
    code: 500,
    reason: 'InternalError',
    message: text,
    details: { causes: [{ message }] },
  })
}

/** 500 without a reason: the answer of a real server to unexpected errors. */
export function unexpectedError(message: string): ApiError {
  return new ApiError({ code: 500, message })
}
