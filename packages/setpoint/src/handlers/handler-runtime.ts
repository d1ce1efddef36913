import { type Change, type Key, keyOf, type KindCache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { invariant } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import type { ApiResource } from '../kinds/api-resource.ts'
import { isTerminating } from '../kinds/is-terminating.ts'
import type { Logger } from '../log/index.ts'
import { checkedObject } from './checked-object.ts'
import type {
  ChangeHandler,
  DaemonHandler,
  EventHandler,
  HandlerDeclaration,
  IndexDeclaration,
  TimerHandler,
} from './declare/handler-declaration.ts'
import { essenceOf, isSameEssence } from './essence.ts'
import { EventFeed } from './event-feed.ts'
import { HandlerRun, type Handled, type HandlerRunSubject } from './handler-run.ts'
import { matchesObject } from './match.ts'
import type { Progress } from './memory.ts'
import { type IndexAccess, MemoryIndex } from './object-indexes.ts'
import { ObjectTasks } from './object-tasks.ts'
import { readTimerAnnotation, type TimerTimes, timerAnnotation } from './timer-annotation.ts'

/** The annotations in which an operator keeps the state of its handlers. */
interface HandlerAnnotations {
  readonly handlers: string
  readonly timers: string
}

/** The dependencies of an operator's handlers. */
interface HandlerRuntimeOptions {
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  /** The objects of the operator. */
  readonly cache: KindCache
  readonly definition: AnyResourceDefinition | undefined
  readonly fieldManager: string
  /** The annotations of the operator, and then those of its former names. */
  readonly identities: readonly HandlerAnnotations[]
  readonly handlers: readonly HandlerDeclaration[]
  readonly cleanUps: readonly HandlerDeclaration[]
  readonly indexes: readonly IndexDeclaration[]
  /**
   * The context of the author's functions outside of a reconcile, without the part for handlers.
   */
  readonly contextOf: (object: ApiResource, signal: AbortSignal) => object
  /** Reports a failure outside of a reconcile to users. It must not throw. */
  readonly report: (object: ApiResource, message: string) => void
  /** Called after every call of a daemon or timer. It must not throw. */
  readonly onTaskEnd: (handler: DaemonHandler | TimerHandler, error: unknown) => void
}

/** Runs the handlers of one operator. */
export class HandlerRuntime {
  readonly #options: HandlerRuntimeOptions
  readonly #changes: readonly ChangeHandler[]
  readonly #tasks: ObjectTasks
  readonly #events: EventFeed
  readonly #indexes: ReadonlyMap<string, MemoryIndex>
  readonly #unsubscribe: (() => void)[] = []
  /** The uids of objects that existed at the start and have not been reconciled yet. */
  readonly #existed = new Set<string>()
  readonly #resuming = new Map<
    Key,
    { readonly uid: string; readonly left: Map<string, Progress> }
  >()
  readonly #warned = new Set<string>()
  #reconcile: (key: Key, why: string) => void = () => undefined

  constructor(options: HandlerRuntimeOptions) {
    const { handlers, indexes } = options
    this.#options = options
    this.#changes = handlers.filter(isChangeHandler)
    this.#indexes = new Map(indexes.map(({ name }) => [name, new MemoryIndex()]))
    const parts = {
      ...options,
      matches: (handler: HandlerDeclaration, object: ApiResource) => this.#matches(handler, object),
      contextOf: (object: ApiResource, signal: AbortSignal) => ({
        ...options.contextOf(object, signal),
        ...this.access,
      }),
    }
    this.#events = new EventFeed({ ...parts, handlers: handlers.filter(isEventHandler) })
    this.#tasks = new ObjectTasks({
      ...parts,
      handlers: handlers.filter(isTaskHandler),
      current: (key) => {
        const object = options.cache.get(key) as ApiResource | undefined
        return object && checkedObject(options.definition, object).object
      },
      onCallEnd: options.onTaskEnd,
      onFailures: (key, { id, on }) => this.#reconcile(key, `the ${on} ${id}`),
      timesOf: (object) => this.#timesOf(object),
      saveTimes: async (object, times, signal) => this.#saveTimes(object, times, signal),
    })
  }

  /** Read access to the indexes, for contexts. */
  readonly access: IndexAccess = {
    index: (name) => this.#indexes.get(name) ?? new MemoryIndex(),
  }

  /**
   * Starts to update indexes and to deliver events. Call it when the cache is synced. `reconcile`
   * enqueues an object whose daemons or timers begin or cease to fail.
   */
  begin(reconcile: (key: Key, why: string) => void): void {
    const { cache, handlers, indexes } = this.#options
    this.#reconcile = reconcile
    if (indexes.length > 0) {
      this.#unsubscribe.push(cache.subscribe((change) => this.#updateIndexes(change)))
    }
    if (handlers.some(({ on }) => on === 'resume')) {
      // Objects of a namespace that is added later existed too.
      const note = ({ isInitial, current }: Change): void => {
        if (isInitial) this.#existed.add(current.uid)
      }
      this.#unsubscribe.push(cache.subscribe(note))
    }
    if (handlers.some(isEventHandler)) {
      this.#unsubscribe.push(cache.subscribe((change) => this.#events.push(change)))
    }
  }

  /** Calls the handlers that are due for an object; for a terminating object its cleanups. */
  async run(subject: Omit<HandlerRunSubject, 'resuming'>): Promise<Handled> {
    const { cleanUps } = this.#options
    const [annotation, ...formerAnnotations] = this.#annotations('handlers')
    const { object, log } = subject
    const isDeletion = isTerminating(object)
    const handlers = isDeletion ? cleanUps.filter(isChangeHandler) : this.#changes
    if (handlers.length === 0) {
      return { object, failure: undefined, thrown: [], waitMs: undefined }
    }
    const options = {
      ...this.#options,
      handlers,
      access: this.access,
      annotation,
      formerAnnotations,
      matches: (handler: ChangeHandler) => this.#matches(handler, object),
      accepts: (handler: ChangeHandler, filter: () => boolean) => this.#accepts(handler, filter),
      warnOnce: (message: string) => {
        if (!this.#warned.has(message)) log.warn(message)
        this.#warned.add(message)
      },
    }
    const resuming = isDeletion ? new Map<string, Progress>() : this.#resumingOf(subject)
    return new HandlerRun(options, { ...subject, resuming }).execute()
  }

  /** Whether an object needs a finalizer for a cleanup or a daemon. */
  needsFinalizer(object: ApiResource): boolean {
    const { handlers, cleanUps } = this.#options
    const holding = [...cleanUps, ...handlers.filter(({ on }) => on === 'daemon')]
    return holding.some((handler) => this.#matches(handler, object))
  }

  /** Whether a write changed something that handlers compare. */
  hasEssenceChanged(before: ApiResource, after: ApiResource): boolean {
    const hasHandlers = this.#options.handlers.length > 0
    return hasHandlers && !isSameEssence(essenceOf(before), essenceOf(after))
  }

  /** Starts the daemons and timers that match the object, and ends those that no longer do. */
  startTasks(object: ApiResource): void {
    this.#tasks.keep(object)
  }

  /** The failures of an object's daemons and timers, if there are any. */
  taskFailureOf(key: Key): string | undefined {
    return this.#tasks.failureOf(key)
  }

  /** Ends the daemons and timers of an object. */
  async end(key: Key): Promise<void> {
    await this.#tasks.end(key)
  }

  /** Waits for the daemons and timers of an object that are ending, until their timeout. */
  async whenEnded(key: Key): Promise<void> {
    await this.#tasks.whenEnded(key)
  }

  /** Forgets a deleted object. */
  async forget(key: Key): Promise<void> {
    this.#resuming.delete(key)
    await this.#tasks.end(key)
  }

  /** Ends everything. Resolves when all tasks have ended or timed out. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
    this.#events.stop()
    await this.#tasks.stop()
  }

  /** Stops waiting for tasks: the process ends now. */
  abandon(): void {
    this.#tasks.abandon()
  }

  /** The resume handlers of an object that have not succeeded; created at its first reconcile. */
  #resumingOf({ object }: Pick<HandlerRunSubject, 'object'>): Map<string, Progress> {
    const { uid } = object.metadata
    const key = keyOf(object.metadata)
    const known = this.#resuming.get(key)
    if (known?.uid === uid) return known.left
    const left = new Map<string, Progress>()
    if (!this.#existed.delete(uid)) return left
    for (const handler of this.#changes) {
      if (handler.on !== 'resume' || !this.#matches(handler, object)) continue
      left.set(handler.id, { attempts: 0 })
    }
    this.#resuming.set(key, { uid, left })
    return left
  }

  async #saveTimes(
    { metadata }: ApiResource,
    times: TimerTimes,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, cache, fieldManager } = this.#options
    const [own, ...former] = this.#annotations('timers')
    const text = timerAnnotation(metadata.uid, times)
    const taken = former.filter((name) => metadata.annotations?.[name] !== undefined)
    const removed = Object.fromEntries(taken.map((name) => [name, null]))
    const merge = { metadata: { uid: metadata.uid, annotations: { ...removed, [own]: text } } }
    await client.patch(cache.kind, metadata, { merge, fieldManager, signal })
  }

  #timesOf(object: ApiResource): TimerTimes {
    const { annotations = {} } = object.metadata
    const [own, ...former] = this.#annotations('timers')
    const found = [own, ...former].find((name) => annotations[name] !== undefined)
    return readTimerAnnotation(object, found ?? own)
  }

  /** Several operators may serve a kind: each has its own annotation. */
  #annotations(what: keyof HandlerAnnotations): readonly [own: string, ...former: string[]] {
    const [own, ...former] = this.#options.identities.map((identity) => identity[what])
    invariant(own, 'an operator has an identity')
    return [own, ...former]
  }

  #matches(handler: HandlerDeclaration, object: ApiResource): boolean {
    return this.#accepts(handler, () => matchesObject(handler, object, this.access))
  }

  #accepts({ id }: HandlerDeclaration, filter: () => boolean): boolean {
    try {
      return filter()
    } catch (error) {
      this.#options.log.error(
        { handler: id, err: error },
        'the filter of a handler threw: treating it as false',
      )
      return false
    }
  }

  /** Catches errors of the author's function: they must not break the watch. */
  #updateIndexes({ type, key, current }: Change): void {
    for (const { name, pairsOf } of this.#options.indexes) {
      const index = this.#indexes.get(name)
      index?.remove(key)
      if (type === 'removed' || type === 'deselected') continue
      try {
        index?.put(key, pairsOf(current.object as ApiResource))
      } catch (error) {
        index?.remove(key)
        this.#options.log.error(
          { index: name, object: key, err: error },
          'the function of an index threw: the object is not in the index',
        )
      }
    }
  }
}

function isChangeHandler(handler: HandlerDeclaration): handler is ChangeHandler {
  return 'path' in handler
}

function isTaskHandler(handler: HandlerDeclaration): handler is DaemonHandler | TimerHandler {
  return handler.on === 'daemon' || handler.on === 'timer'
}

function isEventHandler(handler: HandlerDeclaration): handler is EventHandler {
  return handler.on === 'event'
}
