import type { ProcessEnd, Signal, Signals } from '../host/index.ts'
import type { Logger } from '../log/index.ts'

/** A request to end the process. */
export interface Ending {
  /** The exit code. */
  readonly code: number
  /** How long a stop may take. */
  readonly withinMs?: number
}

/**
 * After an uncaught exception the process state is unreliable: this is enough time to release the
 * Lease, not to finish reconciles.
 */
const brokenMs = 3_000

/** The exit code that a shell reports for a signal. */
const signalCodes: Readonly<Record<Exclude<Signal, 'SIGHUP'>, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
}

/** The reader of the log is gone. Logging that would fail in the same way again and again. */
function isClosedOutput(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

/**
 * Handles signals and uncaught errors. The first signal requests a stop, the second exits
 * immediately; an uncaught exception requests a short stop. An unhandled promise rejection is only
 * logged.
 */
export function listenForEnd(
  host: Signals & ProcessEnd,
  log: Logger,
): { readonly ending: Promise<Ending>; stopListening(): void } {
  const stops: (() => void)[] = []
  const ending = new Promise<Ending>((resolve) => {
    let hasSignal = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const onSignal = (): void => {
        if (hasSignal) {
          log.warn({ signal }, 'second signal: exiting immediately')
          host.exit(signalCodes[signal])
          return
        }
        hasSignal = true
        log.info({ signal }, 'received a signal: stopping; a second one exits immediately')
        resolve({ code: 0 })
      }
      stops.push(host.onSignal(signal, onSignal))
    }
    const uncaught = host.onUncaught((error, kind) => {
      if (kind === 'rejection') {
        log.error({ err: error }, 'unhandled promise rejection: the process continues')
        return
      }
      if (!isClosedOutput(error)) {
        log.error({ err: error }, 'uncaught exception: the process stops')
      }
      resolve({ code: 1, withinMs: brokenMs })
    })
    stops.push(uncaught)
  })
  return { ending, stopListening: () => stops.forEach((stop) => stop()) }
}
