import type { Reason, RunReport } from '../controller/index.ts'
import { isProgrammingError, isSetpointError } from '../errors/index.ts'
import { type Logger, plainError } from '../log/index.ts'

/** How many reasons of a reconcile are logged. */
const reasonsMax = 5

/** Logs how a reconcile ended: failures always, other results at debug level. */
export function logRun(log: Logger, report: RunReport): void {
  const { run, result, error } = report
  const isFailure = result === 'failed' || result === 'gave-up'
  // Computing reasons compares objects, which is expensive.
  if (!isFailure && log.isLevelEnabled?.('debug') === false) return
  const fields = {
    operator: report.controller,
    key: run.key,
    run: run.id,
    result,
    reasons: reasonTexts(run.reasons),
    failures: run.failures + (isFailure ? 1 : 0),
    durationMs: Math.round(report.durationMs),
    waitedMs: Math.round(report.waitedMs),
    retryAfterMs: report.retryAfterMs,
  }
  if (error === undefined) log.debug(fields, 'reconcile ended')
  else if (!isFailure)
    log.debug({ ...fields, err: short(error) }, 'reconcile asked to be retried later')
  else if (isOfProgram(error)) {
    log.error({ ...fields, err: error }, 'reconcile failed: programming error')
  } else {
    const msg =
      result === 'gave-up' ? 'reconcile gave up until something changes' : 'reconcile failed'
    log.warn({ ...fields, err: short(error) }, msg)
  }
}

function short(error: unknown): object {
  return plainError(error, { stack: false })
}

function reasonTexts(reasons: readonly Reason[]): string[] {
  const texts = reasons.slice(0, reasonsMax).map(String)
  const left = reasons.length - reasonsMax
  return left > 0 ? [...texts, `and ${left} more`] : texts
}

const programmingErrorCodes = [
  'CLIENT_MISUSED',
  'HOST_MISUSED',
  'INVARIANT_VIOLATED',
  'OPERATOR_INVALID',
] as const

/** Whether the error is one of the program, which no retry fixes: then its stack is logged. */
function isOfProgram(error: unknown): boolean {
  if (!isSetpointError(error)) return isProgrammingError(error)
  return programmingErrorCodes.some((code) => isSetpointError(error, code))
}
