import type { ServerResponse } from '../host/index.ts'
import type { JsonObject, JsonValue } from '../schema/index.ts'

/** The part of a Status that differs between refusals. */
interface RefusalFields {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: JsonObject | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** The answer to a request that is refused: a Status, as API servers send it. */
export class ApiRefusal extends Error {
  readonly status: JsonObject
  readonly code: number
  readonly retryAfterSeconds: number | undefined

  constructor({ code, reason, message, details, retryAfterSeconds }: RefusalFields) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    const all: JsonObject = { ...details, ...retry }
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(Object.keys(all).length === 0 ? {} : { details: all }),
      code,
    }
  }

  /** The whole response. */
  get response(): ServerResponse {
    const { retryAfterSeconds: seconds } = this
    const retry = seconds === undefined ? {} : { 'retry-after': String(seconds) }
    return jsonResponse(this.code, this.status, retry)
  }
}

/** A response with a JSON document. */
export function jsonResponse(
  status: number,
  value: JsonValue,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
): ServerResponse {
  const type = { 'content-type': 'application/json' }
  return { status, headers: { ...type, ...headers }, body: `${JSON.stringify(value)}\n` }
}

/** What a refusal is about. */
export interface Subject {
  readonly group: string
  readonly plural: string
  readonly kind: string
  readonly name: string
}

/** The resource as messages name it: `podusages.usage.example.com`. */
function resourceOf({ plural, group }: Subject): string {
  return `${plural}.${group}`
}

function detailsOf({ name, group, plural }: Subject): JsonObject {
  return { ...(name === '' ? {} : { name }), group, kind: plural }
}

/** The refusals of requests, in the words of API servers. */
export const refusals = {
  badRequest: (message: string) => new ApiRefusal({ code: 400, reason: 'BadRequest', message }),
  unauthorized: () =>
    new ApiRefusal({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }),
  forbidden: (subject: Subject, why: string) =>
    new ApiRefusal({
      code: 403,
      reason: 'Forbidden',
      message: `${resourceOf(subject)}${subject.name === '' ? '' : ` "${subject.name}"`} is forbidden: ${why}`,
      details: detailsOf(subject),
    }),
  noPath: () =>
    new ApiRefusal({
      code: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
      details: {},
    }),
  notFound: (subject: Subject) =>
    new ApiRefusal({
      code: 404,
      reason: 'NotFound',
      message: `${resourceOf(subject)} "${subject.name}" not found`,
      details: detailsOf(subject),
    }),
  noMethod: () =>
    new ApiRefusal({
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    }),
  notAcceptable: (types: readonly string[]) =>
    new ApiRefusal({
      code: 406,
      reason: 'NotAcceptable',
      message: `only the following media types are accepted: ${types.join(', ')}`,
    }),
  alreadyExists: (subject: Subject) =>
    new ApiRefusal({
      code: 409,
      reason: 'AlreadyExists',
      message: `${resourceOf(subject)} "${subject.name}" already exists`,
      details: detailsOf(subject),
    }),
  conflict: (subject: Subject, why: string) =>
    new ApiRefusal({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${resourceOf(subject)} "${subject.name}": ${why}`,
      details: detailsOf(subject),
    }),
  unknownFormat: (types: readonly string[]) =>
    new ApiRefusal({
      code: 415,
      reason: 'UnsupportedMediaType',
      message: `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
    }),
  invalid: (subject: Subject, causes: readonly FieldCause[]) => {
    const all = causes.map(({ field, message }) => `${field}: ${message}`)
    const list = all.length === 1 ? all.join('') : `[${all.join(', ')}]`
    const { kind, group, name } = subject
    return new ApiRefusal({
      code: 422,
      reason: 'Invalid',
      message: `${kind}.${group} "${name}" is invalid: ${list}`,
      details: {
        ...(name === '' ? {} : { name }),
        group,
        kind,
        causes: causes.map(({ type, message, field }) => ({ reason: type, message, field })),
      },
    })
  },
  failed: (message: string) =>
    new ApiRefusal({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${message}`,
    }),
  overdue: (subject: Subject, message: string) =>
    new ApiRefusal({ code: 504, reason: 'Timeout', message, details: detailsOf(subject) }),
} as const

/** A field, and what is wrong with it. */
interface FieldCause {
  readonly type: string
  readonly field: string
  readonly message: string
}
