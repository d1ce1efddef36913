import timersPromises from 'node:timers/promises'
import timers from 'node:timers'
import { promisify } from 'node:util'
import { onAbort } from 'setpoint/host'
import { authorCall, bypassing } from './process-scope.ts'
import { replaceMember } from './replace-member.ts'
import { SimulatedTimer } from './simulated-timer.ts'

type Run = (...args: unknown[]) => unknown

/** Timers run in virtual time, and end with their process. */
export function interceptTimers(): (() => void)[] {
  const originals = { ...timers }
  const starting = (name: 'setTimeout' | 'setInterval'): Run => {
    const start: Run = (run, delayMs, ...args) => {
      const scope = typeof run === 'function' ? bypassing(name, start) : undefined
      if (scope === undefined)
        return Reflect.apply(originals[name], undefined, [run, delayMs, ...args])
      const isRepeated = name === 'setInterval'
      const call = (): unknown => Reflect.apply(run as Run, undefined, args)
      return new SimulatedTimer(scope, { delayMs, run: call, isRepeated })
    }
    return start
  }
  const soon: Run = (run, ...args) => {
    const scope = typeof run === 'function' ? bypassing('setImmediate', soon) : undefined
    if (scope === undefined) return Reflect.apply(originals.setImmediate, undefined, [run, ...args])
    const call = (): unknown => Reflect.apply(run as Run, undefined, args)
    return new SimulatedTimer(scope, { delayMs: 0, run: call })
  }
  const clearing = (name: 'clearTimeout' | 'clearInterval' | 'clearImmediate'): Run => {
    return (timer) => {
      if (timer instanceof SimulatedTimer) timer.close()
      else Reflect.apply(originals[name], undefined, [timer])
    }
  }
  const promised = promisedTimers()
  const replacements: Readonly<Record<string, Run>> = {
    setTimeout: withPromise(starting('setTimeout'), promised.setTimeout),
    setInterval: starting('setInterval'),
    setImmediate: withPromise(soon, promised.setImmediate),
    clearTimeout: clearing('clearTimeout'),
    clearInterval: clearing('clearInterval'),
    clearImmediate: clearing('clearImmediate'),
  }
  return [
    ...Object.entries(replacements).flatMap(([name, replacement]) => [
      replaceMember(globalThis, name, replacement),
      replaceMember(timers, name, replacement),
    ]),
    ...Object.entries(promised).map(([name, replacement]) =>
      replaceMember(timersPromises, name, replacement),
    ),
    replaceMember(AbortSignal, 'timeout', abortingTimeout()),
  ]
}

/** What `promisify` makes of a function with a callback. */
function withPromise(start: Run, promised: Run): Run {
  return Object.assign(start, { [promisify.custom]: promised })
}

/** The functions of `node:timers/promises`. */
function promisedTimers(): { readonly setTimeout: Run; readonly setImmediate: Run } {
  const { setTimeout: sleep, setImmediate: yielding } = timersPromises
  const setTimeout: Run = (delayMs, value, options) => {
    const scope = bypassing('setTimeout', setTimeout)
    if (scope === undefined) return Reflect.apply(sleep, undefined, [delayMs, value, options])
    return new Promise((resolve, reject) => {
      const signal = signalOf(options)
      const timer = new SimulatedTimer(scope, { delayMs, run: () => resolve(value) })
      onAbort(signal, () => {
        timer.close()
        reject(new DOMException('The operation was aborted', 'AbortError'))
      })
    })
  }
  const setImmediate: Run = (value, options) => {
    const scope = bypassing('setImmediate', setImmediate)
    if (scope === undefined) return Reflect.apply(yielding, undefined, [value, options])
    return new Promise((resolve) => {
      new SimulatedTimer(scope, { delayMs: 0, run: () => resolve(value) })
    })
  }
  return { setTimeout, setImmediate }
}

function signalOf(options: unknown): AbortSignal | undefined {
  if (typeof options !== 'object' || options === null || !('signal' in options)) return undefined
  return options.signal instanceof AbortSignal ? options.signal : undefined
}

/**
 * A timeout for a call of another system. It does not count as a bypass: the context of an operator has nothing
 * else for it, and its answer is exact.
 */
function abortingTimeout(): (delayMs: number) => AbortSignal {
  const original = AbortSignal.timeout.bind(AbortSignal)
  const timeout = (delayMs: number): AbortSignal => {
    const call = authorCall(timeout)
    if (call === undefined) return original(delayMs)
    const controller = new AbortController()
    const message = 'The operation was aborted due to timeout'
    const run = (): void => controller.abort(new DOMException(message, 'TimeoutError'))
    new SimulatedTimer(call.scope, { delayMs, run })
    return controller.signal
  }
  return timeout
}
