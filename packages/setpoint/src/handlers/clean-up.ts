import type { Run } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { callAuthor } from './call-author.ts'
import type { ServedObject } from './essence.ts'

/** How a cleanup is treated that fails. */
export interface CleanUpOptions {
  /** How long one try may take; then its signal is aborted and it counts as failed. */
  readonly timeoutMs?: number
  /**
   * How often it may fail again in a row (`RetryLaterError` is no failure); then the object is let go with an Event that says so. Without end unless given:
   * what was not cleaned up is nobody's any more when its object is gone.
   */
  readonly retries?: number
}

/** `.onDelete`. */
export interface CleanUpDeclaration extends CleanUpOptions {
  readonly run: (object: ServedObject, context: CleanUpContext) => Promise<void>
}

interface CleanUpContext {
  readonly signal: AbortSignal
  readonly log: Logger
}

/** The object that is going away. */
export interface CleanUpSubject {
  readonly object: ServedObject
  readonly run: Run
  readonly log: Logger
  /** What the author's function gets besides the signal and the log. */
  readonly context: object
}

/** Cleans up after an object. Returns what it failed with for good; throws what is to be tried again. */
export async function cleanUp(
  host: Host,
  { run: clean, timeoutMs, retries = Infinity }: CleanUpDeclaration,
  subject: CleanUpSubject,
): Promise<unknown> {
  const { object, run, log, context } = subject
  const limits = { host, timeoutMs, signal: run.signal, what: `the cleanup for ${run.key}` }
  try {
    await callAuthor(limits, async (signal) => clean(object, { ...context, signal, log }))
    return undefined
  } catch (error) {
    const isLater = isSetpointError(error, 'RETRY_LATER')
    if (run.signal.aborted || isLater || run.failures < retries) throw error
    log.error({ err: error }, 'a cleanup fails again and again: the object is let go without it')
    return error
  }
}
