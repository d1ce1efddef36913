import { limitMs } from '../../host/index.ts'
import { type ErrorCode, headline, isSetpointError, SetpointError } from '../../errors/index.ts'
import type { ApiAnswer, ApiCall } from './api-call.ts'
import type { ApiError } from './api-error.ts'

/** The default deadline of a call. */
export const deadlineMsDefault = 30_000

/** A call that took too long and changed nothing. */
export function overdue(call: ApiCall, cause?: unknown): SetpointError {
  const text = `${call.what} took longer than ${deadlineMsOf(call)} ms`
  return new SetpointError('DEADLINE_EXCEEDED', text, {
    hint: 'the server may be overloaded or unreachable; request less, or raise the deadline',
    cause,
  })
}

/** A call that was not sent, because the rate limit would delay it beyond its deadline. */
export function rateLimited(call: ApiCall): SetpointError {
  const text = `${call.what} was not sent: the rate limit delays it beyond its deadline of ${deadlineMsOf(call)} ms`
  return new SetpointError('DEADLINE_EXCEEDED', text, {
    hint: 'raise the rate limit of this client, or the deadline',
  })
}

export function deadlineMsOf({ timeout = deadlineMsDefault }: ApiCall): number {
  return limitMs(timeout, 'timeout')
}

const lost: readonly ErrorCode[] = [
  'NETWORK_CONNECTION_LOST',
  'NETWORK_PROTOCOL_ERROR',
  'NETWORK_TIMEOUT',
  'ABORTED',
]

/**
 * Waits for the response of a call; when none arrives, throws an error that says whether a write
 * may have happened.
 */
export async function answerOf<T>(call: ApiCall, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const isOverdue = isSetpointError(error, 'NETWORK_TIMEOUT')
    if (isWrite(call) && lost.some((code) => isSetpointError(error, code))) {
      const why = isOverdue ? `no response within ${deadlineMsOf(call)} ms` : headline(error)
      throw unknownOutcome(call, why, error)
    }
    throw isOverdue ? overdue(call, error) : error
  }
}

/** The error for a refusal: after a gateway timeout the outcome of a write is unknown. */
export function refusalOf(call: ApiCall, error: ApiError): SetpointError {
  const { code, reason, message } = error.status
  const isGivenUp = code === 502 || code === 504 || reason === 'Timeout'
  return isGivenUp && isWrite(call) ? unknownOutcome(call, message, error) : error
}

/** The object in a response. Other content is not part of the message: it may be secret. */
export function objectIn(call: ApiCall, { headers, bytes }: ApiAnswer): object {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    const isObject = typeof value === 'object' && value !== null
    if (isObject && ('kind' in value || 'metadata' in value)) return value
  } catch {
    // Not JSON, so not an object either.
  }
  const type = headers['content-type'] ?? 'an unknown type'
  const why = `received ${bytes.length} bytes of ${type}, which are not an API object`
  const error = new SetpointError('NETWORK_PROTOCOL_ERROR', `${call.what} failed: ${why}`, {
    hint: notApiServerHint,
  })
  throw isWrite(call) ? unknownOutcome(call, why, error) : error
}

const utf8 = new TextDecoder()

/** The hint for a response that does not come from an API server. */
export const notApiServerHint = 'check whether the address is that of a proxy or a login page'

/** Whether a call may change something: a dry run does not. */
export function isWrite({ method, query }: ApiCall): boolean {
  return method !== 'GET' && query?.['dryRun'] === undefined
}

function unknownOutcome(call: ApiCall, why: string, cause: unknown): SetpointError {
  return new SetpointError('WRITE_OUTCOME_UNKNOWN', `${call.what} may have happened: ${why}`, {
    hint: 'read the object before repeating the write',
    cause,
  })
}
