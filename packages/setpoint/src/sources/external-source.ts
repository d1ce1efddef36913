import { type Host, onAbort } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { type KeysConcerned, keysIn } from './keys-in.ts'

/** A source of events (`.source`), without its types. */
export interface SourceDeclaration {
  readonly name: string
  /** Opens the source; called again after it ended or threw. */
  readonly open: (signal: AbortSignal) => AsyncIterable<unknown>
  readonly keysOf: (event: unknown) => KeysConcerned
}

/** What `followSource` needs. */
interface SourceParts {
  readonly host: Host
  readonly log: Logger
  /** Stops it. */
  readonly signal: AbortSignal
  readonly trigger: (key: string, why: string) => void
}

const firstWaitMs = 1_000
const longestWaitMs = 300_000

/**
 * Reads a source until the signal is aborted. A source that ends or throws is opened again with
 * backoff. An event whose `keysOf` throws is logged and skipped. It never rejects.
 */
export async function followSource(source: SourceDeclaration, parts: SourceParts): Promise<void> {
  const { host, log, signal } = parts
  let waitMs = firstWaitMs
  while (!signal.aborted) {
    const outcome = await readSource(source, parts, () => (waitMs = firstWaitMs))
    if (isAborted(signal)) return
    const again = `it is opened again in ${waitMs / 1000} s`
    log.warn({ source: source.name, ...outcome }, `a source of events ended; ${again}`)
    try {
      await host.sleep(waitMs, signal)
    } catch {
      return
    }
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/**
 * A function, because the compiler assumes that `signal.aborted` is still what it was in the loop
 * condition.
 */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted
}

async function readSource(
  { name, open, keysOf }: SourceDeclaration,
  { log, signal, trigger }: SourceParts,
  onEvent: () => void,
): Promise<{ readonly err?: unknown }> {
  // A source that ignores its signal must not keep the process running.
  let stopListening = (): void => undefined
  const aborted = new Promise<{ readonly done: true }>((resolve) => {
    stopListening = onAbort(signal, () => resolve({ done: true }))
  })
  try {
    const events = open(signal)[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([events.next(), aborted])
      if (signal.aborted) void Promise.resolve(events.return?.()).catch(() => undefined)
      if (next.done === true) return {}
      onEvent()
      try {
        for (const key of keysIn(keysOf(next.value))) trigger(key, name)
      } catch (err) {
        log.error({ err, source: name }, 'keysOf of a source threw for an event')
      }
    }
  } catch (err) {
    return { err }
  } finally {
    stopListening()
  }
}
