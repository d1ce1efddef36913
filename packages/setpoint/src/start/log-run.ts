import type { Reason, RunReport } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { type Logger, plainError } from '../log/index.ts'

/** How many reasons of a run are written out. */
const reasonsMax = 5

/** Tells how a run ended: failures always, everything else to those who want details. */
export function logRun(log: Logger, report: RunReport): void {
  const { run, result, error } = report
  const isTrouble = result === 'failed' || result === 'gave-up'
  // Reasons are worked out by comparing objects, which is not for free.
  if (!isTrouble && log.isLevelEnabled?.('debug') === false) return
  const fields = {
    operator: report.controller,
    key: run.key,
    run: run.id,
    result,
    reasons: reasonTexts(run.reasons),
    failures: run.failures + (isTrouble ? 1 : 0),
    durationMs: Math.round(report.durationMs),
    waitedMs: Math.round(report.waitedMs),
    ...(report.retryAfterMs === undefined ? {} : { retryAfterMs: report.retryAfterMs }),
  }
  if (error === undefined) log.debug(fields, 'a run ended')
  else if (!isTrouble) log.debug({ ...fields, err: short(error) }, 'a run is to be repeated later')
  else if (isMistake(error)) {
    log.error({ ...fields, err: error }, 'a run failed by a mistake in the program')
  } else {
    const msg = result === 'gave-up' ? 'a run gave up until something changes' : 'a run failed'
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

const mistakeNames: ReadonlySet<string> = new Set([
  ...['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError'],
])

const mistakeCodes = [
  ...(['CLIENT_MISUSED', 'HOST_MISUSED', 'INVARIANT_VIOLATED', 'OPERATOR_INVALID'] as const),
]

/** Whether no repetition will help, but a look at the code: then where it was thrown matters. */
function isMistake(error: unknown): boolean {
  if (isSetpointError(error)) return mistakeCodes.some((code) => isSetpointError(error, code))
  // A `fetch` without a network is a TypeError too; unlike a mistake, it has a cause.
  return error instanceof Error && mistakeNames.has(error.name) && error.cause === undefined
}
