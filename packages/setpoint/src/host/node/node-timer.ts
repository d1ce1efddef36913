import { longTimer } from '../delay.ts'
import type { Timer } from '../host.ts'
import { TIMER_STEP_MS_MAX } from '../limits.ts'

const shortTimers = {
  stepMsMax: TIMER_STEP_MS_MAX,
  setTimer: (delayMs: number, run: () => void): Timer => {
    const timeout = setTimeout(run, delayMs)
    return { cancel: () => clearTimeout(timeout) }
  },
}

/** A real timer of any length; this host never calls `setTimeout` without it. */
export function setNodeTimer(delayMs: number, run: () => void): Timer {
  return longTimer(shortTimers, delayMs, run)
}
