import type { Timer, Timers } from './host.ts'
import { invalidCallError } from './invalid-call-error.ts'
import { abortedError, checkSignal, onAbort } from './on-abort.ts'

/**
 * The delay on both hosts: at least 0; anything that is not a number is refused. The type allows
 * NaN, and plain JavaScript `undefined`; such a delay would stop the clock of a virtual host.
 */
export function delayFrom(delayMs: unknown, what = 'a delay'): number {
  if (typeof delayMs !== 'number' || Number.isNaN(delayMs)) {
    throw invalidCallError(
      `${what} is not a number`,
      'pass milliseconds, computed from valid numbers',
    )
  }
  return Math.max(0, delayMs)
}

/** `sleep` on top of `setTimer`, so that it behaves the same on every host. */
export function sleepWith(
  timers: Pick<Timers, 'setTimer'>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    checkSignal(signal)
    if (signal === undefined) {
      timers.setTimer(ms, resolve)
      return
    }
    const abort = () => reject(abortedError(`a sleep of ${Math.round(ms)} ms`, signal))
    if (signal.aborted) {
      abort()
      return
    }
    const timer = timers.setTimer(ms, () => {
      stopWaiting()
      resolve()
    })
    const stopWaiting = onAbort(signal, () => {
      timer.cancel()
      abort()
    })
  })
}

/** Timers with delays up to `stepMsMax`. */
interface ShortTimers extends Pick<Timers, 'setTimer'> {
  readonly stepMsMax: number
}

/** A timer of any length made of short ones, because `setTimeout` overflows after 24.8 days. */
export function longTimer(short: ShortTimers, delayMs: number, run: () => void): Timer {
  let restMs = delayFrom(delayMs)
  const arm = (): Timer => {
    const stepMs = Math.min(restMs, short.stepMsMax)
    restMs -= stepMs
    return short.setTimer(stepMs, () => {
      if (restMs > 0) current = arm()
      else run()
    })
  }
  let current = arm()
  return { cancel: () => current.cancel() }
}
