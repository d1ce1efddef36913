import { longTimer } from '../delay.ts'
import type { Timer } from '../host.ts'
import { TIMER_STEP_MS_MAX } from '../limits.ts'

class ShortTimer implements Timer {
  readonly #timeout: NodeJS.Timeout

  constructor(delayMs: number, run: () => void) {
    this.#timeout = setTimeout(run, delayMs)
  }

  cancel(): void {
    clearTimeout(this.#timeout)
  }
}

const shortTimers = {
  stepMsMax: TIMER_STEP_MS_MAX,
  setTimer: (delayMs: number, run: () => void): Timer => new ShortTimer(delayMs, run),
}

/** A timer of any length; this host never calls `setTimeout` directly. */
export function setNodeTimer(delayMs: number, run: () => void): Timer {
  // The usual case.
  if (Number.isFinite(delayMs) && delayMs >= 0 && delayMs <= TIMER_STEP_MS_MAX)
    return new ShortTimer(delayMs, run)
  return longTimer(shortTimers, delayMs, run)
}
