import { type Host, onAbort } from '../../host/index.ts'
import type { Logger } from '../../log/index.ts'
import { type KeysConcerned, keysIn } from './keys-in.ts'

/** Events from outside the cluster, as declared, without their types. */
export interface SourceDeclaration {
  readonly name: string
  /** Opens the source; called again when it ended or broke. */
  readonly open: (signal: AbortSignal) => AsyncIterable<unknown>
  readonly keysOf: (event: unknown) => KeysConcerned
}

/** What following a source needs. */
interface SourceParts {
  readonly host: Host
  readonly log: Logger
  /** Ends it. */
  readonly signal: AbortSignal
  readonly trigger: (key: string, why: string) => void
}

const firstWaitMs = 1_000
const longestWaitMs = 300_000

/**
 * Follows a source for as long as the operator works. A source that ends or breaks is opened again, after a wait that
 * grows; one event whose keys cannot be told does not break it. It never rejects.
 */
export async function followSource(source: SourceDeclaration, parts: SourceParts): Promise<void> {
  const { host, log, signal } = parts
  let waitMs = firstWaitMs
  while (!signal.aborted) {
    const outcome = await readSource(source, parts, () => (waitMs = firstWaitMs))
    if (isOver(signal)) return
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

/** Asked again after waiting: the compiler remembers the first answer. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted
}

async function readSource(
  { name, open, keysOf }: SourceDeclaration,
  { log, signal, trigger }: SourceParts,
  onEvent: () => void,
): Promise<{ readonly err?: unknown }> {
  // A source that does not heed its signal must not keep the process from ending.
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
        log.error({ err, source: name }, 'could not tell whom an event concerns')
      }
    }
  } catch (err) {
    return { err }
  } finally {
    stopListening()
  }
}
