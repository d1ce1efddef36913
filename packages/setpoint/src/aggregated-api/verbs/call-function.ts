import { headline, isSetpointError, SetpointError, withSourceLine } from '../../errors/index.ts'
import type { Client } from '../../client/index.ts'
import {
  type Clock,
  type Duration,
  durationMs,
  onAbort,
  type Random,
  type Timers,
} from '../../host/index.ts'
import type { Logger } from '../../log/index.ts'
import { ApiRefusal, refusals } from '../api-refusal.ts'
import { type ResourceRequest, subjectOf } from '../api-request.ts'
import type { AcceptedForm } from '../accepted-form.ts'
import type { ApiCall, ApiUser } from '../declare/served-types.ts'
import { type RefuseRequestError, refusalCodes } from '../declare/refuse-request-error.ts'

/** The circumstances of a request for objects. */
export interface VerbContext {
  readonly host: Clock & Timers & Random
  readonly client: Client
  readonly log: Logger
  readonly user: ApiUser
  readonly form: AcceptedForm
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  readonly request: ResourceRequest
}

/** The function of the author, as in messages. */
type FunctionName = 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete'

/**
 * Calls a function of the author until its deadline. Throws an `ApiRefusal`: that of the author, or
 * one for an error, which is logged.
 */
export async function callFunction<T>(
  context: VerbContext,
  name: FunctionName,
  run: (call: ApiCall) => T | Promise<T>,
): Promise<T> {
  const { host, request } = context
  const controller = new AbortController()
  let stop = (_: Error): void => undefined
  const late = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error)
      controller.abort(error)
    }
  })
  const { timeoutMs } = request.api
  const why = `it did not return within ${timeoutMs / 1000} s`
  const timer = host.setTimer(timeoutMs, () => stop(new SetpointError('REQUEST_OVERDUE', why)))
  const stopListening = onAbort(context.signal, () =>
    stop(new SetpointError('ABORTED', 'the client no longer waits')),
  )
  try {
    const running = (async () => run(callOf(context, controller.signal)))()
    return await Promise.race([running, late])
  } catch (error) {
    throw refusalOf(context, name, error)
  } finally {
    timer.cancel()
    stopListening()
  }
}

/** What every function of the author receives. */
export function callOf(context: VerbContext, signal: AbortSignal): ApiCall {
  const { host, user, client } = context
  const sleep = async (duration: Duration): Promise<void> =>
    host.sleep(durationMs(duration, 'sleep'), signal)
  return { user, signal, log: logOf(context), client, sleep }
}

/** A log that names the request. */
export function logOf({ log, request, user }: VerbContext): Logger {
  const { resource, verb, namespace = '', name } = request
  const { username } = user
  return log.child({ resource: resource.definition.plural, verb, namespace, name, user: username })
}

/** The refusal for what a function threw. Errors that are not deliberate are logged. */
export function refusalOf(context: VerbContext, name: FunctionName, error: unknown): ApiRefusal {
  if (error instanceof ApiRefusal) return error
  const subject = subjectOf(context.request)
  if (isSetpointError(error, 'REQUEST_REFUSED')) {
    const { reason, message, retryAfterMs } = error as RefuseRequestError
    const retryAfterSeconds =
      retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
    if (reason === 'Forbidden') return refusals.forbidden(subject, message)
    const { group, plural: kind } = subject
    const details = { ...(subject.name === '' ? {} : { name: subject.name }), group, kind }
    return new ApiRefusal({
      code: refusalCodes[reason],
      reason,
      message,
      details,
      retryAfterSeconds,
    })
  }
  const { kind } = context.request.resource.definition
  const failed = `the function ${name} of ${kind} failed`
  if (!isSetpointError(error, 'ABORTED')) {
    logOf(context).error({ err: error }, withSourceLine(failed, error))
  }
  const message = `${failed}: ${headline(error)}`
  if (isSetpointError(error, 'REQUEST_OVERDUE')) return refusals.overdue(subject, message)
  return refusals.failed(message)
}
