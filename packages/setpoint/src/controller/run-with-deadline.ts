import { SetpointError } from '../errors/index.ts'
import { type Host, onAbort, type Timer } from '../host/index.ts'

/** How a function ended: with a value, or with what it threw. */
export type Ended<T> =
  { readonly isDone: true; readonly value: T } | { readonly isDone: false; readonly error: unknown }

/** A function in progress. */
interface Attempt<T> {
  /**
   * How it ended; a function that ignores its aborted signal counts as failed after a grace period.
   */
  readonly result: Promise<Ended<T>>
  /** When it has actually ended, which may be never. */
  readonly settled: Promise<void>
}

/** How long a function may take to end after its deadline aborted its signal. */
const graceMs = 5_000

/**
 * How long a function may take to end after the caller aborted it: the process waits for its end.
 */
const stopMs = 2_000

/** Runs a function with a signal that is aborted after a deadline. It never rejects. */
export function runWithDeadline<T>(
  limits: {
    readonly host: Host
    readonly deadlineMs: number
    readonly signal: AbortSignal
    /** Describes the function in the error message. */
    readonly what: string
  },
  work: (signal: AbortSignal) => Promise<T>,
): Attempt<T> {
  const { host, deadlineMs, signal, what } = limits
  const controller = new AbortController()
  let overdue: SetpointError | undefined
  const ended = endOf(work, controller.signal)
  const result = new Promise<Ended<T>>((resolve) => {
    let grace: Timer | undefined
    const abort = (error: unknown, withinMs: number): void => {
      controller.abort(error)
      grace ??= host.setTimer(withinMs, () => resolve({ isDone: false, error }))
    }
    const timer = host.setTimer(deadlineMs, () => {
      overdue = overdueError(what, deadlineMs)
      abort(overdue, graceMs)
    })
    const stopListening = onAbort(signal, () => abort(signal.reason, stopMs))
    if (signal.aborted) abort(signal.reason, stopMs)
    void ended.then((end) => {
      timer.cancel()
      grace?.cancel()
      stopListening()
      const isOverdue = overdue !== undefined && controller.signal.reason === overdue
      resolve(isOverdue && !end.isDone ? { isDone: false, error: overdue } : end)
    })
  })
  return { result, settled: ended.then(() => undefined) }
}

function overdueError(what: string, deadlineMs: number): SetpointError {
  return new SetpointError('RUN_OVERDUE', `${what} took longer than ${deadlineMs} ms`, {
    hint: 'pass the signal to every call that waits, or raise the deadline',
  })
}

async function endOf<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Ended<T>> {
  try {
    return { isDone: true, value: await work(signal) }
  } catch (error) {
    return { isDone: false, error }
  }
}
