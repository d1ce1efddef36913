import type { ProcessEnd, Signal, Signals } from '../host/index.ts'
import type { Logger } from '../log/index.ts'

/** That the process is to end. */
export interface Ending {
  /** What it ends with. */
  readonly code: number
  /** How long a stop may take. */
  readonly withinMs?: number
}

/** After an error that nobody caught, nothing can be relied on: there is time to say goodbye, not to finish. */
const brokenMs = 3_000

/** What a shell reports for a process that a signal ended. */
const signalCodes: Readonly<Record<Exclude<Signal, 'SIGHUP'>, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
}

/** Nobody reads the log any more. Saying so in the log would fail in the same way, again and again. */
function isClosedOutput(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

/**
 * Listens for everything that ends a process from outside its work. The first signal asks for a stop, the second ends it
 * at once; an uncaught error asks for a short one. A promise that somebody forgot to wait for is only logged.
 */
export function listenForEnd(
  host: Signals & ProcessEnd,
  log: Logger,
): { readonly ending: Promise<Ending>; stopListening(): void } {
  const stops: (() => void)[] = []
  const ending = new Promise<Ending>((resolve) => {
    let hasSignal = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const heard = (): void => {
        if (hasSignal) {
          log.warn({ signal }, 'a second signal: the process ends at once')
          host.exit(signalCodes[signal])
          return
        }
        hasSignal = true
        log.info({ signal }, 'a signal asks to stop; another one ends the process at once')
        resolve({ code: 0 })
      }
      stops.push(host.onSignal(signal, heard))
    }
    const uncaught = host.onUncaught((error, kind) => {
      if (kind === 'rejection') {
        log.error({ err: error }, 'a promise was rejected that nobody waits for; work goes on')
        return
      }
      if (!isClosedOutput(error)) {
        log.error({ err: error }, 'an error was thrown that nobody caught; the process ends')
      }
      resolve({ code: 1, withinMs: brokenMs })
    })
    stops.push(uncaught)
  })
  return { ending, stopListening: () => stops.forEach((stop) => stop()) }
}
