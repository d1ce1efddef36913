import { SetpointError } from '../errors/index.ts'
import { invalidCallError } from './invalid-call-error.ts'

/**
 * One listener per signal for any number of callbacks: Node warns about the eleventh listener and
 * removes one in linear time, and a process easily has thousands of requests on its stop signal.
 */
const waiting = new WeakMap<AbortSignal, Map<symbol, () => void>>()

/**
 * Calls back when the signal is aborted from now on; check before whether it is already aborted.
 * Returns a function that stops waiting: always call it, even after the abort.
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined
  const callbacks = waiting.get(signal) ?? startWaiting(signal)
  const token = Symbol('abort')
  callbacks.set(token, run)
  return () => {
    callbacks.delete(token)
    if (callbacks.size === 0) stopWaiting(signal, callbacks)
  }
}

/** Refuses a value that is not a signal, because it would never abort anything. */
export function checkSignal(signal: unknown): void {
  if (signal === undefined || (signal instanceof EventTarget && 'aborted' in signal)) return
  throw invalidCallError(
    'a signal is not an AbortSignal',
    'pass the signal of an AbortController, or none',
  )
}

/** The error for a caller whose own signal ended the call. */
export function abortedError(what: string, signal: AbortSignal | undefined): SetpointError {
  return new SetpointError('ABORTED', `${what} was aborted`, { cause: signal?.reason })
}

function startWaiting(signal: AbortSignal): Map<symbol, () => void> {
  const callbacks = new Map<symbol, () => void>()
  waiting.set(signal, callbacks)
  signal.addEventListener('abort', runAll)
  return callbacks
}

function stopWaiting(signal: AbortSignal, callbacks: Map<symbol, () => void>): void {
  if (waiting.get(signal) !== callbacks) return
  waiting.delete(signal)
  signal.removeEventListener('abort', runAll)
}

function runAll(this: AbortSignal): void {
  const callbacks = waiting.get(this)
  if (callbacks === undefined) return
  stopWaiting(this, callbacks)
  const failures: unknown[] = []
  // A callback may remove another one, which then is not called: a Map allows that.
  for (const run of callbacks.values()) {
    try {
      run()
    } catch (error) {
      failures.push(error)
    }
  }
  // Only now, so that an error of one callback does not prevent the others.
  if (failures.length > 0) throw failures[0]
}
