import { SetpointError } from '../errors/index.ts'
import { type Host, onAbort, type Timer } from '../host/index.ts'

/** How some work ended: with a value, or with what it threw. */
export type Ended<T> =
  { readonly isDone: true; readonly value: T } | { readonly isDone: false; readonly error: unknown }

/** Work under way. */
interface Attempt<T> {
  /** How it ended; work that does not heed its signal counts as failed a while after that was aborted. */
  readonly result: Promise<Ended<T>>
  /** When it really is over, which may be never. */
  readonly settled: Promise<void>
}

/** How long work may take to come to an end after its signal was aborted because it took too long. */
const graceMs = 5_000

/** The same when it was aborted from outside, where somebody waits for the end. */
const stopMs = 2_000

/** Runs work with a signal that is aborted after a time. It never rejects, whatever the work does. */
export function runWithDeadline<T>(
  limits: {
    readonly host: Host
    readonly deadlineMs: number
    readonly signal: AbortSignal
    /** The work in words, for the error. */
    readonly what: string
  },
  work: (signal: AbortSignal) => Promise<T>,
): Attempt<T> {
  const { host, deadlineMs, signal, what } = limits
  const controller = new AbortController()
  let overdue: SetpointError | undefined
  const ended = begun(work, controller.signal)
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
    hint: 'pass the signal on to everything that waits, or allow more time',
  })
}

async function begun<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Ended<T>> {
  try {
    return { isDone: true, value: await work(signal) }
  } catch (error) {
    return { isDone: false, error }
  }
}
