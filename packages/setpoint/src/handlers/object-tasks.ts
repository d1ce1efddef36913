import { type Key, keyOf } from '../cache/index.ts'
import type { Duration } from '../controller/index.ts'
import { durationMs } from '../controller/duration.ts'
import { isSetpointError } from '../errors/index.ts'
import { onAbort, type Host } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { callAuthor } from './call-author.ts'
import { essenceHash, essenceOf, type ServedObject } from './essence.ts'
import type { DaemonHandler, TimerHandler } from './handler-declaration.ts'
import { oneMore, type Tries, type Verdict, verdictOn } from './verdict.ts'

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
}

/** An object with its tasks. */
interface Kept {
  readonly key: Key
  readonly uid: string
  readonly tasks: Map<string, Task>
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
    const kept = this.#kept(key, object.metadata.uid, hash)
    if (kept.hash !== hash) Object.assign(kept, { hash, changedMs: host.monotonicMs() })
    for (const handler of handlers) {
      const task = kept.tasks.get(handler.id)
      const isWanted = concerns(handler, object)
      if (isWanted && task === undefined) kept.tasks.set(handler.id, this.#begin(handler, kept))
      if (!isWanted && task !== undefined) {
        kept.tasks.delete(handler.id)
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

  #kept(key: Key, uid: string, hash: string): Kept {
    const known = this.#objects.get(key)
    if (known !== undefined) return known
    const changedMs = this.#options.host.monotonicMs()
    const kept: Kept = { key, uid, tasks: new Map(), hash, changedMs }
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
    const { stopTimeoutMs = stopTimeoutMsDefault } = handler.options as DaemonHandler['options']
    const limit = new AbortController()
    const late = host.sleep(stopTimeoutMs, limit.signal).then(
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
    let lastMs: number | undefined
    let delayMs = schedule.delayMs({ nowMs: host.now(), elapsedMs: undefined })
    for (;;) {
      await host.sleep(delayMs, signal)
      await this.#whenIdle(schedule.idleMs, kept, signal)
      lastMs = host.monotonicMs()
      const error = await this.#call(handler, kept, { signal, attempt: tries.attempts + 1 })
      if (signal.aborted) return
      const elapsedMs = host.monotonicMs() - lastMs
      delayMs = schedule.delayMs({ nowMs: host.now(), elapsedMs })
      tries = error === undefined ? untried : oneMore(tries, error)
      if (error === undefined) continue
      const verdict = this.#judge(handler, kept, { error, tries })
      if (isSetpointError(error, 'GIVE_UP')) return
      if (verdict.type === 'retry') delayMs = verdict.afterMs
      else tries = untried
    }
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
    { key, uid }: Kept,
    { signal, attempt }: { readonly signal: AbortSignal; readonly attempt: number },
  ): Promise<unknown> {
    const { host, contextOf, current } = this.#options
    const now = (): ServedObject | undefined => {
      const object = current(key)
      return object?.metadata.uid === uid ? object : undefined
    }
    const object = now()
    if (object === undefined) return undefined
    const limits = { host, timeoutMs: options.timeoutMs, signal, what: `${id} for ${key}` }
    try {
      await callAuthor(limits, async (limited) =>
        run(object, {
          ...contextOf(object, limited),
          attempt,
          signal: limited,
          current: now,
          sleep: async (duration: Duration) => host.sleep(durationMs(duration), limited),
        }),
      )
      return undefined
    } catch (error) {
      return error ?? new Error('nothing was said about why')
    }
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
