import type { Timer, Timers } from './host.ts'
import { misuse } from './misuse.ts'
import { abortedError, checkSignal, onAbort } from './on-abort.ts'

/**
 * What both hosts make of a delay: never negative, and what is not a number is refused rather than
 * guessed. The type does not keep NaN out, nor `undefined` in plain JavaScript, and one such delay
 * would stop the clock of a virtual world.
 */
export function delayFrom(delayMs: unknown, what = 'a delay'): number {
  if (typeof delayMs !== 'number' || Number.isNaN(delayMs)) {
    throw misuse(`${what} is not a number`, 'give milliseconds, computed from valid numbers')
  }
  return Math.max(0, delayMs)
}

/** `sleep` on top of any `setTimer`, so that it means the same on every host. */
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

/** How `longTimer` waits: a timer that understands delays up to `stepMsMax`. */
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
