import { type Key, keyOf } from '../cache/index.ts'
import { isApiError } from '../client/index.ts'
import type { Duration } from '../controller/index.ts'
import { isSetpointError } from '../errors/index.ts'
import { onAbort, type Host, durationMs, limitMs } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { callAuthor, timeoutMsOf } from './call-author.ts'
import { essenceHash, essenceOf, type ServedObject } from './essence.ts'
import type { DaemonHandler, TimerHandler } from './declare/handler-declaration.ts'
import type { TimerNotes } from './timer-notes.ts'
import { oneMore, type Tries, type Verdict, verdictOn } from './handler-verdict.ts'

type TaskHandler = DaemonHandler | TimerHandler

/** What tasks need. */
interface ObjectTasksOptions {
  readonly host: Host
  readonly log: Logger
  readonly handlers: readonly TaskHandler[]
  readonly concerns: (handler: TaskHandler, object: ServedObject) => boolean
  /** The object as it is now. */
  readonly current: (key: Key) => ServedObject | undefined
  /** What the author's functions get besides what is about tasks. */
  readonly contextOf: (object: ServedObject, signal: AbortSignal) => object
  /** Tells people about a failure. It must not throw. */
  readonly tell: (object: ServedObject, message: string) => void
  /** What rare timers of an object are counted from, as far as it was noted. */
  readonly notesOf: (object: ServedObject) => TimerNotes
  /** Notes it on the object. */
  readonly note: (object: ServedObject, notes: TimerNotes, signal: AbortSignal) => Promise<void>
}

/** An object with its tasks. */
interface Kept {
  readonly key: Key
  readonly uid: string
  readonly tasks: Map<string, Task>
  readonly notes: TimerNotes
  /** The last write of the notes: one after the other, or the older could win. */
  noted: Promise<void>
  /** What was said about the object, and since when. */
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

/** A daemon that worked for so long before it failed has recovered in between. */
const steadyMs = 600_000

/** The daemons and timers of all objects: begun, ended and begun again as the objects come, change and go. */
export class ObjectTasks {
  readonly #options: ObjectTasksOptions
  readonly #objects = new Map<Key, Kept>()
  /** What is coming to an end: the next task of the same kind begins after it. */
  readonly #ending = new Map<string, Promise<void>>()
  readonly #abandoned = new AbortController()
  #isStopped = false

  constructor(options: ObjectTasksOptions) {
    this.#options = options
  }

  /** Sees to it that the tasks run which are for this object as it is now, and no others. */
  keep(object: ServedObject): void {
    const { handlers, concerns, host } = this.#options
    if (handlers.length === 0 || this.#isStopped) return
    const key = keyOf(object.metadata)
    const before = this.#objects.get(key)
    if (before !== undefined && before.uid !== object.metadata.uid) void this.end(key)
    const hash = essenceHash(essenceOf(object))
    const kept = this.#kept(key, object, hash)
    if (kept.hash !== hash) Object.assign(kept, { hash, changedMs: host.monotonicMs() })
    for (const handler of handlers) {
      const task = kept.tasks.get(handler.id)
      const isWanted = concerns(handler, object)
      if (isWanted && task === undefined) kept.tasks.set(handler.id, this.#begin(handler, kept))
      if (!isWanted && task !== undefined) {
        kept.tasks.delete(handler.id)
        // When it is for the object again, it begins anew.
        kept.notes.delete(handler.id)
        void this.#end(key, task)
      }
    }
  }

  /** Ends the tasks of an object, and waits for them as long as they may take. */
  async end(key: Key): Promise<void> {
    const kept = this.#objects.get(key)
    if (kept === undefined) return
    this.#objects.delete(key)
    await Promise.all([...kept.tasks.values()].map(async (task) => this.#end(key, task)))
  }

  /** Ends all tasks, for good. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#objects.keys()].map(async (key) => this.end(key)))
    await Promise.all(this.#ending.values())
  }

  /** Waits for nothing any more: there is no time left. */
  abandon(): void {
    this.#abandoned.abort()
  }

  #kept(key: Key, object: ServedObject, hash: string): Kept {
    const known = this.#objects.get(key)
    if (known !== undefined) return known
    const { uid } = object.metadata
    const changedMs = this.#options.host.monotonicMs()
    const notes = this.#options.notesOf(object)
    const noted = Promise.resolve()
    const kept: Kept = { key, uid, tasks: new Map(), notes, noted, hash, changedMs }
    this.#objects.set(key, kept)
    return kept
  }

  #begin(handler: TaskHandler, kept: Kept): Task {
    const controller = new AbortController()
    const { signal } = controller
    const previous = this.#ending.get(`${kept.key} ${handler.id}`)
    const work = async (): Promise<void> => {
      await previous
      try {
        if (handler.on === 'daemon') await this.#daemon(handler, kept, signal)
        else await this.#timer(handler, kept, signal)
      } catch (error) {
        // The waits of a task reject when it is ended.
        if (signal.aborted) return
        this.#options.log.error({ handler: handler.id, err: error }, 'a task broke')
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
        log.warn({ handler: handler.id, object: key }, 'a task does not end and is left behind'),
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

  async #daemon(handler: DaemonHandler, kept: Kept, signal: AbortSignal): Promise<void> {
    const { host } = this.#options
    for (let tries = untried; ;) {
      const startMs = host.monotonicMs()
      const error = await this.#call(handler, kept, { signal, attempt: tries.attempts + 1 })
      if (error === undefined || signal.aborted) return
      if (host.monotonicMs() - startMs > steadyMs) tries = untried
      tries = oneMore(tries, error)
      const verdict = this.#judge(handler, kept, { error, tries })
      if (verdict.type !== 'retry') return
      await host.sleep(verdict.afterMs, signal)
    }
  }

  async #timer(handler: TimerHandler, kept: Kept, signal: AbortSignal): Promise<void> {
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
        tries = oneMore(tries, error)
        const verdict = this.#judge(handler, kept, { error, tries })
        if (isSetpointError(error, 'GIVE_UP')) return
        if (verdict.type === 'retry') {
          delayMs = verdict.afterMs
          continue
        }
      }
      tries = untried
      const sinceMs = schedule.sinceMs(startMs, host.now())
      this.#note(handler, kept, { sinceMs, signal })
      delayMs = schedule.dueMs(sinceMs) - host.now()
    }
  }

  /** How long until a timer is due for the first time in this process; what came up while there was none is made up for. */
  #firstDelayMs({ id, schedule }: TimerHandler, kept: Kept, signal: AbortSignal): number {
    const nowMs = this.#options.host.now()
    const firstMs = schedule.firstMs(nowMs)
    // A note from a clock that was ahead counts as one of now.
    const sinceMs = Math.min(kept.notes.get(id) ?? firstMs, Math.max(firstMs, nowMs))
    const delayMs = schedule.dueMs(sinceMs) - nowMs
    if (delayMs > 0) this.#note({ id, schedule }, kept, { sinceMs, signal })
    return delayMs
  }

  /** Notes what a timer is counted from, if that is to survive a restart. */
  #note(
    { id, schedule }: Pick<TimerHandler, 'id' | 'schedule'>,
    kept: Kept,
    { sinceMs, signal }: { readonly sinceMs: number; readonly signal: AbortSignal },
  ): void {
    if (!schedule.isRare || kept.notes.get(id) === sinceMs) return
    const { log, note } = this.#options
    kept.notes.set(id, sinceMs)
    kept.noted = kept.noted.then(async () => {
      const object = this.#current(kept)
      if (object === undefined) return
      try {
        await note(object, kept.notes, signal)
      } catch (error) {
        const isGone = signal.aborted || isApiError(error, 'API_NOT_FOUND', 'API_CONFLICT')
        const record = { handler: id, object: kept.key, err: error }
        if (!isGone)
          log.warn(record, 'when a timer ran could not be noted: after a restart it runs at once')
      }
    })
  }

  async #whenIdle(idleMs: number, kept: Kept, signal: AbortSignal): Promise<void> {
    const { host } = this.#options
    for (;;) {
      const restMs = kept.changedMs + idleMs - host.monotonicMs()
      if (restMs <= 0) return
      await host.sleep(restMs, signal)
    }
  }

  /** Calls the author's function; returns what it threw. */
  async #call(
    { id, run, options }: TaskHandler,
    kept: Kept,
    { signal, attempt }: { readonly signal: AbortSignal; readonly attempt: number },
  ): Promise<unknown> {
    const { host, contextOf } = this.#options
    const object = this.#current(kept)
    if (object === undefined) return undefined
    const limits = { host, timeoutMs: timeoutMsOf(options), signal, what: `${id} for ${kept.key}` }
    try {
      await callAuthor(limits, async (limited) =>
        run(object, {
          ...contextOf(object, limited),
          attempt,
          signal: limited,
          current: () => this.#current(kept),
          sleep: async (duration: Duration) =>
            host.sleep(durationMs(duration, 'the duration of sleep()'), limited),
        }),
      )
      return undefined
    } catch (error) {
      return error ?? new Error('nothing was said about why')
    }
  }

  /** The object as it is now, unless it is another one. */
  #current({ key, uid }: Kept): ServedObject | undefined {
    const object = this.#options.current(key)
    return object?.metadata.uid === uid ? object : undefined
  }

  #judge(
    handler: TaskHandler,
    { key }: Kept,
    { error, tries }: { readonly error: unknown; readonly tries: Tries },
  ): Verdict {
    const { log, tell, current } = this.#options
    const verdict = verdictOn(error, tries, handler.options)
    const isLater = verdict.type === 'retry' && !verdict.isFault
    const record = { handler: handler.id, object: key, attempts: tries.attempts, err: error }
    if (isLater) log.debug(record, 'a task asks for time')
    else log.warn(record, 'a task failed')
    const isFault = verdict.type !== 'ignore' && !isLater
    const object = current(key)
    const message = error instanceof Error ? error.message : 'it threw something that is no error'
    if (isFault && object !== undefined) tell(object, `${handler.id}: ${message}`)
    return verdict
  }
}
