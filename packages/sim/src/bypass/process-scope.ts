import { AsyncLocalStorage } from 'node:async_hooks'
import type { Host } from 'setpoint/host'
import { callerLine } from '../world/author-line.ts'
import type { BypassedCall, Bypasses } from './bypass.ts'

/** A simulated process, as the calls that reach around its host find it. */
export interface ProcessScope {
  /** Answers instead of the environment. */
  readonly host: Host
  /** The origins of the modelled systems. */
  readonly origins: ReadonlySet<string>
  readonly bypasses: Bypasses
  /** An error that ends a process of Node.js, because nothing catches it. */
  readonly uncaught: (error: unknown) => void
}

/** A call of the author's code in a simulated process. */
export interface AuthorCall {
  readonly scope: ProcessScope
  readonly line: string
}

/** Any function; only its identity matters. */
type Callee = (...args: never[]) => unknown

/** Promises and timers inherit the process to which they belong. */
const scopes = new AsyncLocalStorage<ProcessScope>()

/** How deep the author's code may be below packages. */
const framesMax = 25

/** Runs a function as a part of a simulated process. */
export function inScope<T>(scope: ProcessScope, run: () => T): T {
  return scopes.run(scope, run)
}

/** The host of a process whose timers run as a part of it: by itself, a virtual host forgets it. */
export function scopedHost(scope: ProcessScope): Host {
  const { host } = scope
  return { ...host, setTimer: (ms, run) => host.setTimer(ms, () => inScope(scope, run)) }
}

/** Following promises has a cost, so it ends with the last simulation. */
export function forgetScopes(): void {
  scopes.disable()
}

/**
 * The process and the line of a call, if the author's code in a simulated process made it.
 * `callee` is the called function: the stack below it is read, which takes microseconds.
 */
export function authorCall(callee: Callee): AuthorCall | undefined {
  const scope = scopes.getStore()
  if (scope === undefined) return undefined
  const line = callerLine(stackBelow(callee))
  return line === undefined ? undefined : { scope, line }
}

/** As `authorCall`, and remembers the place. */
export function bypassing(what: BypassedCall, callee: Callee): ProcessScope | undefined {
  const call = authorCall(callee)
  call?.scope.bypasses.add({ what, line: call.line })
  return call?.scope
}

function stackBelow(callee: Callee): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = framesMax
  const holder = { stack: '' }
  Error.captureStackTrace(holder, callee)
  Error.stackTraceLimit = stackTraceLimit
  return holder.stack
}
