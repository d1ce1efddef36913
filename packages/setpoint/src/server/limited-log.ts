import type { Clock } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { LOG_LINES_PER_MINUTE } from './server-limits.ts'

const windowMs = 60_000

/** Logs a warning, unless there were too many. */
export type LimitedLog = (fields: object, message: string) => void

/**
 * A log for what untrusted clients cause. It writes a limited number of lines per minute; the next
 * line has the number of those that were left out, as `suppressed`.
 */
export function limitedLog(clock: Pick<Clock, 'monotonicMs'>, log: Logger): LimitedLog {
  let startMs = -Infinity
  let lines = 0
  let suppressed = 0
  return (fields, message) => {
    const nowMs = clock.monotonicMs()
    if (nowMs - startMs >= windowMs) {
      startMs = nowMs
      lines = 0
    }
    if (lines >= LOG_LINES_PER_MINUTE) {
      suppressed += 1
      return
    }
    lines += 1
    log.warn(suppressed === 0 ? fields : { ...fields, suppressed }, message)
    suppressed = 0
  }
}
