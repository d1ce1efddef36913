import { isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import { exponentialBackoff, jittered } from '../host/exponential-backoff.ts'
import type { Logger } from '../log/index.ts'

const firstRetryMs = 500
const jitter = { least: 0.8, spread: 0.2 }

/** A check that is repeated: it returns how long to wait until the next one. */
export interface RepeatedCheck {
  readonly host: Host
  readonly log: Logger
  /** The subject of the log line, for example `the certificate in the Secret a/b`. */
  readonly subject: string
  /** The longest delay after a failed check. */
  readonly retryMsMax: number
  readonly check: (signal: AbortSignal) => Promise<number>
  /** Called after every check, with the error of a failed one. */
  readonly checked: (error: unknown) => void
}

/**
 * Repeats a failing check until it succeeds. Throws an error that a repetition cannot solve
 * (`CERTIFICATE_UNAVAILABLE`), and `ABORTED`.
 */
export async function checkUntilSuccess(
  repeated: RepeatedCheck,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; ;) {
    const result = await tryCheck(repeated, signal)
    if (!('error' in result)) return
    if (isSetpointError(result.error, 'CERTIFICATE_UNAVAILABLE')) throw result.error
    failures += 1
    await repeated.host.sleep(delayMs(repeated, failures), signal)
  }
}

/** Repeats a check until the signal is aborted. */
export async function checkUntilAborted(
  repeated: RepeatedCheck,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  try {
    while (!signal.aborted) {
      const result = await tryCheck(repeated, signal)
      failures = 'error' in result ? failures + 1 : 0
      const waitMs = 'error' in result ? delayMs(repeated, failures) : result.waitMs
      await repeated.host.sleep(waitMs, signal)
    }
  } catch (error) {
    if (!isSetpointError(error, 'ABORTED') || !signal.aborted) throw error
  }
}

async function tryCheck(
  { check, checked, log, subject }: RepeatedCheck,
  signal: AbortSignal,
): Promise<{ readonly waitMs: number } | { readonly error: unknown }> {
  try {
    const waitMs = await check(signal)
    checked(undefined)
    return { waitMs }
  } catch (error) {
    if (signal.aborted) throw error
    checked(error)
    log.warn({ err: error }, `${subject} could not be checked`)
    return { error }
  }
}

function delayMs({ host, retryMsMax }: RepeatedCheck, failures: number): number {
  const range = { firstMs: firstRetryMs, maxMs: retryMsMax }
  return jittered(exponentialBackoff(failures, range), jitter, host)
}
