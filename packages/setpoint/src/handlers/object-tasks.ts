import { type Key, keyOf } from '../cache/index.ts'
import { isApiError } from '../client/index.ts'
import type { Duration } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { onAbort, type Host, durationMs, limitMs } from '../host/index.ts'
import type { ApiResource } from '../kinds/api-resource.ts'
import type { Logger } from '../log/index.ts'
import { inSpan } from '../trace/index.ts'
import { callWithTimeout, timeoutMsOf } from './call-with-timeout.ts'
import type { DaemonHandler, TimerHandler } from './declare/handler-declaration.ts'
import { essenceHash, essenceOf } from './essence.ts'
import { countAttempt, type Tries, type RetryDecision, decideRetry } from './retry-decision.ts'
import type { TimerTimes } from './timer-annotation.ts'
import { type UntilOptions, waitUntil } from './wait-until.ts'

type TaskHandler = DaemonHandler | TimerHandler

/** The dependencies of tasks. */
interface ObjectTasksOptions {
  readonly host: Host
  readonly log: Logger
  readonly handlers: readonly TaskHandler[]
  readonly matches: (handler: TaskHandler, object: ApiResource) => boolean
  /** The current state of an object. */
  readonly current: (key: Key) => ApiResource | undefined
  /** The context of the author's functions, without the part for tasks. */
  readonly contextOf: (object: ApiResource, signal: AbortSignal) => object
  /** Reports a failure to users. It must not throw. */
  readonly report: (object: ApiResource, message: string) => void
  /** Called after every call of a daemon or timer, with what it threw. It must not throw. */
  readonly onCallEnd: (handler: TaskHandler, error: unknown) => void
  /** Called when the failures of an object's tasks have changed. It must not throw. */
  readonly onFailures: (key: Key, handler: TaskHandler) => void
  /** The saved start times of an object's rare timers. */
  readonly timesOf: (object: ApiResource) => TimerTimes
  /** Saves them on the object. */
  readonly saveTimes: (object: ApiResource, times: TimerTimes, signal: AbortSignal) => Promise<void>
}

/** An object with its tasks. */
interface ObjectWithTasks {
  readonly key: Key
  readonly uid: string
  readonly tasks: Map<string, Task>
  readonly times: TimerTimes
  /** Called in every reconcile of the object. */
  readonly waiting: Set<() => void>
  /** The last failures of its tasks, until they succeed. */
  readonly failures: Map<string, string>
  /**
   * The last write of the times: writes run one after the other, so that an older one cannot win.
   */
  saved: Promise<void>
  /** The hash of the object's essence, and when it last changed. */
  hash: string
  changedMs: number
}

interface Task {
  readonly handler: TaskHandler
  readonly controller: AbortController
  readonly ended: Promise<void>
}

const stopTimeoutMsDefault = 10_000

const untried: Tries = { attempts: 0, delays: 0 }

/** A daemon that ran this long before it failed starts with a new backoff. */
const steadyMs = 600_000

/** A daemon that failed and runs this long again is not reported as failing any more. */
const recoveredMs = 60_000

/**
 * The daemons and timers of all objects, started and ended as objects appear, change and disappear.
 */
export class ObjectTasks {
  readonly #options: ObjectTasksOptions
  readonly #objects = new Map<Key, ObjectWithTasks>()
  /** Tasks that are ending: the next task of the same handler and object starts after them. */
  readonly #ending = new Map<string, Promise<void>>()
  readonly #abandoned = new AbortController()
  #isStopped = false

  constructor(options: ObjectTasksOptions) {
    this.#options = options
  }

  /** Starts the tasks that match the object, and ends those that no longer do. */
  keep(object: ApiResource): void {
    const { handlers, matches, host } = this.#options
    if (handlers.length === 0 || this.#isStopped) return
    const key = keyOf(object.metadata)
    const before = this.#objects.get(key)
    if (before !== undefined && before.uid !== object.metadata.uid) void this.end(key)
    const hash = essenceHash(essenceOf(object))
    const kept = this.#objectWithTasks(key, object, hash)
    if (kept.hash !== hash) Object.assign(kept, { hash, changedMs: host.monotonicMs() })
    for (const check of kept.waiting) check()
    for (const handler of handlers) {
      const task = kept.tasks.get(handler.id)
      const isDesired = matches(handler, object)
      if (isDesired && task === undefined) kept.tasks.set(handler.id, this.#begin(handler, kept))
      if (!isDesired && task !== undefined) {
        kept.tasks.delete(handler.id)
        // When it matches again, it starts over.
        kept.times.delete(handler.id)
        kept.failures.delete(handler.id)
        void this.#end(key, task)
      }
    }
  }

  /** The failures of an object's tasks, for its status; `undefined` if there are none. */
  failureOf(key: Key): string | undefined {
    const failures = [...(this.#objects.get(key)?.failures.values() ?? [])]
    return failures.length === 0 ? undefined : failures.join('; ')
  }

  /** Ends the tasks of an object, and waits for them until their timeout. */
  async end(key: Key): Promise<void> {
    const kept = this.#objects.get(key)
    if (kept === undefined) return
    this.#objects.delete(key)
    await Promise.all([...kept.tasks.values()].map(async (task) => this.#end(key, task)))
  }

  /** Waits for the tasks of an object that are ending, until their timeout. */
  async whenEnded(key: Key): Promise<void> {
    const names = this.#options.handlers.map(({ id }) => `${key} ${id}`)
    await Promise.all(names.map(async (name) => this.#ending.get(name)))
  }

  /** Ends all tasks permanently. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#objects.keys()].map(async (key) => this.end(key)))
    await Promise.all(this.#ending.values())
  }

  /** Stops waiting for tasks: the process ends now. */
  abandon(): void {
    this.#abandoned.abort()
  }

  #objectWithTasks(key: Key, object: ApiResource, hash: string): ObjectWithTasks {
    const known = this.#objects.get(key)
    if (known !== undefined) return known
    const { uid } = object.metadata
    const changedMs = this.#options.host.monotonicMs()
    const times = this.#options.timesOf(object)
    const saved = Promise.resolve()
    const [tasks, failures] = [new Map<string, Task>(), new Map<string, string>()]
    const waiting = new Set<() => void>()
    const kept = { key, uid, tasks, times, waiting, failures, saved, hash, changedMs }
    this.#objects.set(key, kept)
    return kept
  }

  #begin(handler: TaskHandler, kept: ObjectWithTasks): Task {
    const controller = new AbortController()
    const { signal } = controller
    const previous = this.#ending.get(`${kept.key} ${handler.id}`)
    const work = async (): Promise<void> => {
      await previous
      try {
        if (handler.on === 'daemon') await this.#daemon(handler, kept, signal)
        else await this.#timer(handler, kept, signal)
      } catch (error) {
        // A sleep of the task rejects when the task is ended.
        if (signal.aborted) return
        this.#options.log.error(
          { handler: handler.id, err: error },
          'a daemon or timer stopped on an unexpected error',
        )
      }
    }
    return { handler, controller, ended: work() }
  }

  async #end(key: Key, { handler, controller, ended }: Task): Promise<void> {
    const { host, log } = this.#options
    const name = `${key} ${handler.id}`
    const { stopTimeout = stopTimeoutMsDefault } = handler.options as DaemonHandler['options']
    const limit = new AbortController()
    const late = host.sleep(limitMs(stopTimeout, 'stopTimeout'), limit.signal).then(
      () =>
        log.warn(
          { handler: handler.id, object: key },
          'a daemon or timer ignores its aborted signal: no longer waiting for it',
        ),
      () => undefined,
    )
    const stopListening = onAbort(this.#abandoned.signal, () => limit.abort())
    if (this.#abandoned.signal.aborted) limit.abort()
    const waited = Promise.race([ended, late]).then(() => {
      stopListening()
      limit.abort()
    })
    this.#ending.set(name, waited)
    controller.abort()
    await waited
    if (this.#ending.get(name) === waited) this.#ending.delete(name)
  }

  async #daemon(handler: DaemonHandler, kept: ObjectWithTasks, signal: AbortSignal): Promise<void> {
    const { host } = this.#options
    for (let tries = untried; ;) {
      const startMs = host.monotonicMs()
      const recovered = host.setTimer(recoveredMs, () => this.#succeeded(handler, kept))
      const error = await this.#call(handler, kept, { signal, attempt: tries.attempts + 1 })
      recovered.cancel()
      if (error === undefined) this.#succeeded(handler, kept)
      if (error === undefined || signal.aborted) return
      if (host.monotonicMs() - startMs > steadyMs) tries = untried
      tries = countAttempt(tries, error)
      const decision = this.#decide(handler, kept, { error, tries })
      if (decision.type !== 'retry') return
      await host.sleep(decision.afterMs, signal)
    }
  }

  async #timer(handler: TimerHandler, kept: ObjectWithTasks, signal: AbortSignal): Promise<void> {
    const { host } = this.#options
    const { schedule } = handler
    let tries = untried
    let delayMs = this.#firstDelayMs(handler, kept, signal)
    for (;;) {
      await host.sleep(Math.max(0, delayMs), signal)
      await this.#whenIdle(schedule.idleMs, kept, signal)
      const startMs = host.now()
      const error = await this.#call(handler, kept, { signal, attempt: tries.attempts + 1 })
      if (signal.aborted) return
      if (error !== undefined) {
        tries = countAttempt(tries, error)
        const decision = this.#decide(handler, kept, { error, tries })
        if (isSetpointError(error, 'GIVE_UP')) return
        if (decision.type === 'retry') {
          delayMs = decision.afterMs
          continue
        }
      } else this.#succeeded(handler, kept)
      tries = untried
      const sinceMs = schedule.sinceMs(startMs, host.now())
      this.#saveTimes(handler, kept, { sinceMs, signal })
      delayMs = schedule.dueMs(sinceMs) - host.now()
    }
  }

  /**
   * The delay until the first call in this process; a call that was missed while no process ran is
   * due now.
   */
  #firstDelayMs(
    { id, schedule }: TimerHandler,
    kept: ObjectWithTasks,
    signal: AbortSignal,
  ): number {
    const nowMs = this.#options.host.now()
    const firstMs = schedule.firstMs(nowMs)
    // A saved time in the future, from a clock that was ahead, counts as now.
    const sinceMs = Math.min(kept.times.get(id) ?? firstMs, Math.max(firstMs, nowMs))
    const delayMs = schedule.dueMs(sinceMs) - nowMs
    if (delayMs > 0) this.#saveTimes({ id, schedule }, kept, { sinceMs, signal })
    return delayMs
  }

  /**
   * Saves the time from which a timer with a long interval counts, so that it survives a restart.
   */
  #saveTimes(
    { id, schedule }: Pick<TimerHandler, 'id' | 'schedule'>,
    kept: ObjectWithTasks,
    { sinceMs, signal }: { readonly sinceMs: number; readonly signal: AbortSignal },
  ): void {
    if (!schedule.isLongInterval || kept.times.get(id) === sinceMs) return
    const { log, saveTimes } = this.#options
    kept.times.set(id, sinceMs)
    kept.saved = kept.saved.then(async () => {
      const object = this.#current(kept)
      if (object === undefined) return
      try {
        await saveTimes(object, kept.times, signal)
      } catch (error) {
        const isExpected = signal.aborted || isApiError(error, 'API_NOT_FOUND', 'API_CONFLICT')
        const record = { handler: id, object: kept.key, err: error }
        if (!isExpected)
          log.warn(record, 'failed to save when a timer ran: after a restart it runs immediately')
      }
    })
  }

  async #whenIdle(idleMs: number, kept: ObjectWithTasks, signal: AbortSignal): Promise<void> {
    const { host } = this.#options
    for (;;) {
      const restMs = kept.changedMs + idleMs - host.monotonicMs()
      if (restMs <= 0) return
      await host.sleep(restMs, signal)
    }
  }

  #succeeded(handler: TaskHandler, kept: ObjectWithTasks): void {
    if (kept.failures.delete(handler.id)) this.#options.onFailures(kept.key, handler)
  }

  /** Calls the author's function; returns what it threw. */
  async #call(
    handler: TaskHandler,
    kept: ObjectWithTasks,
    { signal, attempt }: { readonly signal: AbortSignal; readonly attempt: number },
  ): Promise<unknown> {
    const { host, contextOf, onCallEnd } = this.#options
    const { id, on, run, options } = handler
    const object = this.#current(kept)
    if (object === undefined) return undefined
    const limits = { host, timeoutMs: timeoutMsOf(options), signal, what: `${id} for ${kept.key}` }
    const attributes = () => ({ 'setpoint.key': kept.key, 'setpoint.attempt': attempt })
    const span = { name: `${on} ${id}`, kind: 'run', attributes } as const
    // A task that is ended throws, too.
    const isFailure = (error: unknown): boolean =>
      !signal.aborted && !isSetpointError(error, 'RETRY_LATER')
    try {
      const call = async (): Promise<unknown> =>
        callWithTimeout(limits, async (limited) =>
          run(object, {
            ...contextOf(object, limited),
            attempt,
            signal: limited,
            current: () => this.#current(kept),
            sleep: async (duration: Duration) =>
              host.sleep(durationMs(duration, 'the duration of sleep()'), limited),
            until: async (holds: () => boolean, { timeout = Infinity }: UntilOptions = {}) => {
              const timeoutMs = timeout === Infinity ? timeout : durationMs(timeout, 'timeout')
              return waitUntil(holds, { host, timeoutMs, signal: limited, waiting: kept.waiting })
            },
          }),
        )
      await (on === 'timer' ? inSpan(span, call, isFailure) : call())
      onCallEnd(handler, undefined)
      return undefined
    } catch (error) {
      const thrown = error ?? new Error('the handler threw undefined')
      onCallEnd(handler, isFailure(thrown) ? thrown : undefined)
      // A daemon runs for days, so only its failure is a span.
      if (on === 'daemon' && isFailure(thrown))
        await inSpan(span, async () => Promise.reject(asError(thrown))).catch(() => undefined)
      return thrown
    }
  }

  /** The current object, unless it was recreated under the same name. */
  #current({ key, uid }: ObjectWithTasks): ApiResource | undefined {
    const object = this.#options.current(key)
    return object?.metadata.uid === uid ? object : undefined
  }

  #decide(
    handler: TaskHandler,
    kept: ObjectWithTasks,
    { error, tries }: { readonly error: unknown; readonly tries: Tries },
  ): RetryDecision {
    const { log, report, current, onFailures } = this.#options
    const { key } = kept
    const decision = decideRetry(error, tries, handler.options)
    const isLater = decision.type === 'retry' && !decision.isReported
    const record = { handler: handler.id, object: key, attempts: tries.attempts, err: error }
    if (isLater) log.debug(record, 'a daemon or timer asked to be retried later')
    else log.warn(record, 'a daemon or timer failed')
    const isReported = decision.type !== 'ignore' && !isLater
    const object = current(key)
    const message = error instanceof Error ? error.message : 'threw a value that is not an Error'
    const failure = `${handler.id}: ${message}`
    if (isReported && object !== undefined) report(object, failure)
    if (isReported && kept.failures.get(handler.id) !== failure) {
      kept.failures.set(handler.id, failure)
      onFailures(key, handler)
    }
    return decision
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
