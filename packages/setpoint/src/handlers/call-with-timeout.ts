import { runWithDeadline } from '../controller/run-with-deadline.ts'
import { type Host, type Duration, limitMs } from '../host/index.ts'

/** Calls a function of the author, with a timeout if it has one. */
export async function callWithTimeout<T>(
  limits: {
    readonly host: Host
    readonly timeoutMs: number | undefined
    readonly signal: AbortSignal
    readonly what: string
  },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs, signal } = limits
  if (timeoutMs === undefined) return call(signal)
  const ended = await runWithDeadline({ ...limits, deadlineMs: timeoutMs }, call).result
  if (ended.isDone) return ended.value
  throw ended.error
}

/** The `timeout` of a handler in milliseconds, if it has one. */
export function timeoutMsOf({ timeout }: { readonly timeout?: Duration }): number | undefined {
  return timeout === undefined ? undefined : limitMs(timeout, 'timeout')
}
