import type { JsonValue } from 'setpoint/schema'
import { ApiError, badRequest } from '../status/index.ts'

/** The 422 error of a patch that cannot be applied. A server gives no reason. */
export function rejectedPatch(): ApiError {
  const message = 'the server rejected our request due to an error in our request'
  return new ApiError({ code: 422, reason: 'Invalid', message, details: {} })
}

/** Go's JSON name for the type of a value. */
function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/**
 * The 400 error of a body of the wrong type: `error decoding patch: json: cannot unmarshal ...`.
 * Without field validation, the patch is not decoded before it is applied.
 */
export function wrongShape(value: JsonValue, into: string, isValidated = true): ApiError {
  const prefix = isValidated ? 'error decoding patch: ' : ''
  return badRequest(`${prefix}json: cannot unmarshal ${jsonKind(value)} into Go ${into}`)
}
