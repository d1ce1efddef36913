import { limitMs } from '../../host/index.ts'
import { type ErrorCode, headline, isSetpointError, SetpointError } from '../../errors/index.ts'
import type { ApiAnswer, ApiCall } from './api-call.ts'
import type { ApiError } from './api-error.ts'

/** Time for a call when the caller does not say. */
export const deadlineMsDefault = 30_000

/** A call that took too long, and changed nothing. */
export function overdue(call: ApiCall, cause?: unknown): SetpointError {
  const text = `${call.what} took longer than ${deadlineMsOf(call)} ms`
  return new SetpointError('DEADLINE_EXCEEDED', text, {
    hint: 'the server may be overloaded or unreachable; ask for less, or allow more time',
    cause,
  })
}

/** A call that was not sent, because its turn would have come too late. */
export function crowdedOut(call: ApiCall): SetpointError {
  const text = `${call.what} was not sent: its turn comes only after its ${deadlineMsOf(call)} ms`
  return new SetpointError('DEADLINE_EXCEEDED', text, {
    hint: 'more is asked for than the rate limit of this client allows; raise it, or allow more time',
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

/** Waits for the answer of a call that is under way, and says what is known when none comes. */
export async function answerOf<T>(call: ApiCall, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const isOverdue = isSetpointError(error, 'NETWORK_TIMEOUT')
    if (isWrite(call) && lost.some((code) => isSetpointError(error, code))) {
      const why = isOverdue ? `no answer within ${deadlineMsOf(call)} ms` : headline(error)
      throw unknownOutcome(call, why, error)
    }
    throw isOverdue ? overdue(call, error) : error
  }
}

/** A refusal as the caller hears of it: a write that a server or gateway gave up waiting for goes on without it. */
export function refusalOf(call: ApiCall, error: ApiError): SetpointError {
  const { code, reason, message } = error.status
  const isGivenUp = code === 502 || code === 504 || reason === 'Timeout'
  return isGivenUp && isWrite(call) ? unknownOutcome(call, message, error) : error
}

/** The object in an answer. What came instead is not shown: it may be secret. */
export function objectIn(call: ApiCall, { headers, bytes }: ApiAnswer): object {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    const isObject = typeof value === 'object' && value !== null
    if (isObject && ('kind' in value || 'metadata' in value)) return value
  } catch {
    // It is no JSON, which is no object either.
  }
  const type = headers['content-type'] ?? 'an unknown type'
  const why = `${bytes.length} bytes of ${type} came, which are no API object`
  const error = new SetpointError('NETWORK_PROTOCOL_ERROR', `${call.what} failed: ${why}`, {
    hint: strangerHint,
  })
  throw isWrite(call) ? unknownOutcome(call, why, error) : error
}

const utf8 = new TextDecoder()

/** What to look for where something else than an API server answers. */
export const strangerHint = 'look whether the address is that of a proxy or a login page'

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
