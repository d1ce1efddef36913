import type { Cache, Change, Key } from '../../cache/index.ts'
import type { Client } from '../../client/index.ts'
import {
  Controller,
  type Outcome,
  type Reason,
  RetryLaterError,
  type Run,
  type RunReport,
} from '../../controller/index.ts'
import { isSetpointError } from '../../errors/index.ts'
import type { HandlerRuntime } from '../../handlers/handler-runtime.ts'
import type { IndexAccess } from '../../handlers/index.ts'
import { type Host, limitMs } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Logger } from '../../log/index.ts'
import type { CacheView } from '../declare/contexts.ts'
import { EventRecorder } from '../events/event-recorder.ts'
import { FailureReport } from '../status/failure-report.ts'
import { followSource } from '../declare/external-source.ts'
import { Finalizer, needsFinalizer } from './finalizer.ts'
import { handlerRuntimeOf } from './handler-runtime-of.ts'
import { keysIn } from '../declare/keys-in.ts'
import { OperatorCaches } from './operator-caches.ts'
import type {
  ApiResource,
  OperatorDeclaration,
  WatchDeclaration,
} from '../declare/operator-declaration.ts'
import { OwnerRun } from './owner-run.ts'
import { ownerKeys } from '../manifest/ownership.ts'
import { listed } from './reconcile-context.ts'
import { isGone } from './run-errors.ts'
import type { SharedFailures } from '../status/shared-failures.ts'
import { StatusWriter } from '../status/status-writer.ts'

/** What an operator runs with. */
interface RuntimeParts {
  readonly host: Host
  readonly client: Client
  readonly cache: Cache
  readonly log: Logger
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /** What operators of the same resource failed with. Where there are several, a Ready that nobody states is not derived. */
  readonly shared: SharedFailures
}

/** An operator at work: its caches, its controller, and what they need to serve one object. */
export class OperatorRuntime {
  readonly #declaration: OperatorDeclaration
  readonly #parts: RuntimeParts
  readonly #log: Logger
  readonly #caches: OperatorCaches
  readonly #controller: Controller
  readonly #finalizer: Finalizer
  readonly #statuses: StatusWriter
  readonly #events: EventRecorder
  readonly #failures: FailureReport
  readonly #handlers: HandlerRuntime
  readonly #view: CacheView & IndexAccess
  /** Objects that are no longer selected, until they are let go. */
  readonly #leaving = new Set<Key>()
  #isWorking = false

  constructor(declaration: OperatorDeclaration, parts: RuntimeParts) {
    const { options } = declaration
    this.#declaration = declaration
    this.#parts = parts
    this.#log = parts.log.child({ operator: options.name })
    this.#caches = new OperatorCaches(declaration, parts.cache)
    const cache = this.#caches.resource
    parts.shared.join(options.name, (key) => cache.get(key) !== undefined)
    const fieldManager = options.fieldManager ?? options.name
    this.#finalizer = new Finalizer(declaration, parts.client, cache)
    this.#statuses = new StatusWriter({
      ...parts,
      cache,
      fieldManager,
      definition: declaration.definition,
    })
    this.#events = new EventRecorder({
      ...parts,
      component: options.eventSource ?? options.name,
    })
    this.#failures = new FailureReport({
      declaration,
      log: this.#log,
      statuses: this.#statuses,
      events: this.#events,
      shared: parts.shared,
    })
    this.#handlers = handlerRuntimeOf({
      ...parts,
      declaration,
      cache,
      log: this.#log,
      cacheOf: (kind) => this.#caches.of(kind),
      owned: (kind, owner) => this.#caches.owned(kind, owner),
      events: this.#events,
      failures: this.#failures,
    })
    this.#view = {
      get: (kind, key) => this.#caches.of(kind).get(key) as never,
      list: (kind, where) => listed(this.#caches.of(kind), where) as never,
      ...this.#handlers.access,
    }
    this.#controller = new Controller({
      ...options,
      deadlineMs: options.timeout === undefined ? undefined : limitMs(options.timeout, 'timeout'),
      host: parts.host,
      reconcile: async (run) => this.#run(run),
      onRunEnd: parts.onRunEnd,
      onOverdue: async (run, error) => {
        const owner = cache.get(run.key) as ApiResource | undefined
        if (owner !== undefined) await this.#failures.tell(owner, error, { run })
      },
    })
  }

  get name(): string {
    return this.#declaration.options.name
  }

  /** For those who count. */
  get controller(): Controller {
    return this.#controller
  }

  /** Works until it is stopped: first the caches, then the objects. */
  async run(signal: AbortSignal): Promise<void> {
    const caches = this.#caches
    await caches.whenSynced(signal)
    this.#handlers.begin()
    const { filter } = this.#declaration
    this.#controller.watch(caches.resource, (change) => {
      const own = [change.key]
      // What is gone has to be forgotten, whoever cares for it.
      if (filter === undefined || change.type === 'removed' || change.type === 'deselected')
        return own
      return this.#concernedBy({ keysOf: () => own, filter }, change)
    })
    for (const kind of caches.ownedKinds()) {
      this.#controller.watch(caches.of(kind), (change) => this.#ownersOf(change))
    }
    for (const watch of this.#declaration.watches) {
      this.#controller.watch(caches.ofWatch(watch), (change) => this.#concernedBy(watch, change))
    }
    const sources = this.#declaration.sources.map((source) =>
      followSource(source, {
        host: this.#parts.host,
        log: this.#log,
        signal,
        trigger: (key, why) => this.trigger(key, why),
      }),
    )
    this.#isWorking = true
    await this.#controller.run()
    this.#isWorking = false
    await this.#handlers.stop()
    await Promise.all(sources)
  }

  /** Runs a key because of something outside the cluster. `false` when it is not working: somebody else may be. */
  trigger(key: Key, why: string): boolean {
    if (this.#isWorking) this.#controller.trigger(key, why)
    return this.#isWorking
  }

  /** Takes on nothing new; `run` resolves when what is under way has finished. */
  stop(): void {
    this.#controller.stop()
    void this.#handlers.stop()
  }

  /** Aborts what is under way. */
  abort(reason: Error): void {
    this.#controller.abort(reason)
    this.#handlers.abandon()
  }

  /** Gives the caches back. */
  dispose(): void {
    this.#caches.dispose()
  }

  /** What an author's function throws concerns one object; the watch it came over must not break from it. */
  #concernedBy(
    { keysOf, filter }: Pick<WatchDeclaration, 'keysOf' | 'filter'>,
    change: Change,
  ): Iterable<Key> {
    const { type, key, current, previous } = change
    const object = current.object as ApiResource
    const old = previous?.object as ApiResource | undefined
    try {
      if (filter?.({ type, object, old }) === false) return []
      const objects = old === undefined || old === object ? [object] : [object, old]
      return new Set(objects.flatMap((one) => keysIn(keysOf(one, this.#view))))
    } catch (err) {
      this.#log.error({ err }, `could not tell whom ${object.kind} ${key} concerns`)
      return []
    }
  }

  /** The owners of an object, before and after a change: one that lost its owner concerns the one it had. */
  #ownersOf({ current, previous }: Change): Set<Key> {
    const { kind } = this.#declaration
    const objects = [current, previous].flatMap((entry) => entry?.object ?? []) as ApiResource[]
    return new Set(objects.flatMap((object) => ownerKeys(object, kind)))
  }

  /**
   * An object that is no longer selected is somebody else's. What keeps it for us would keep it for ever, and what lives
   * elsewhere nobody would find again: both go. What refers to it stays with it.
   */
  async #letGo(run: Run): Promise<void> {
    const { kind, options } = this.#declaration
    const { labelSelector } = options
    const { key, signal } = run
    // What is missing in a new list may have left as well as be gone.
    const mayHaveLeft = labelSelector !== undefined && needsFinalizer(this.#declaration)
    const changes = mayHaveLeft ? ['deselected', 'removed'] : ['deselected']
    const isLeaving = run.reasons.some((reason) => isChange(reason, changes, { key, kind }))
    // Kept until it is done: a run after a failure has other reasons.
    if (isLeaving) this.#leaving.add(key)
    if (!this.#leaving.has(key)) return
    const [name = '', namespace] = key.split('/').reverse()
    const { client } = this.#parts
    const live = await client.find(kind, { name, namespace }, { signal })
    const where = { namespace, labelSelector, fieldSelector: `metadata.name=${name}`, signal }
    // It may be back already: then there is news of it.
    const isSelected = async (): Promise<boolean> =>
      labelSelector !== undefined && (await client.listAll(kind, where)).length > 0
    if (live !== undefined && !(await isSelected()))
      await this.#ownerRun(live as ApiResource, run).letGo()
    this.#leaving.delete(key)
  }

  /** The object of a run. Where the cache shows the past it is asked for: what was done must not be done again. */
  async #ownerOf({ key, isBehind, signal }: Run): Promise<ApiResource | undefined> {
    const cached = this.#caches.resource.get(key) as ApiResource | undefined
    if (cached === undefined || isBehind !== true) return cached
    const { kind } = this.#declaration
    return this.#parts.client.find(kind, cached.metadata, { signal }) as Promise<
      ApiResource | undefined
    >
  }

  async #run(run: Run): Promise<Outcome> {
    await this.#caches.whenSynced(run.signal)
    const owner = await this.#ownerOf(run)
    if (owner === undefined) {
      this.#statuses.forget(run.key)
      this.#parts.shared.forget(run.key, this.name)
      await this.#handlers.forget(run.key)
      return this.#letGo(run)
    }
    this.#leaving.delete(run.key)
    const ownerRun = this.#ownerRun(owner, run)
    try {
      return await ownerRun.go()
    } catch (error) {
      // It went while it was worked on: that is news of its own, and runs it again.
      if (isGone(owner, this.#declaration.kind, error)) return undefined
      const { live, handlersFailure: ofHandlers } = ownerRun
      await this.#failures.tell(live, error, { run, ofHandlers })
      const waitMs = ownerRun.recheckMs
      if (waitMs !== undefined && isLaterThan(error, waitMs)) return { recheckAfter: waitMs }
      throw error
    }
  }

  #ownerRun(owner: ApiResource, run: Run): OwnerRun {
    return new OwnerRun({
      declaration: this.#declaration,
      host: this.#parts.host,
      client: this.#parts.client,
      finalizer: this.#finalizer,
      statuses: this.#statuses,
      cacheOf: (kind) => this.#caches.of(kind),
      owned: (kind) => this.#caches.owned(kind, owner),
      derivesReady: this.#parts.shared.isAlone,
      run,
      log: this.#log.child({ key: run.key, run: run.id }),
      owner,
      recordEvent: (event) => this.#events.record(event.regarding ?? owner, event, run.signal),
      handlers: this.#handlers,
      failures: this.#failures,
    })
  }
}

/** Whether something of this sort happened to the object of a run itself. */
function isChange(
  reason: Reason,
  changes: readonly string[],
  { key, kind: { kind } }: { readonly key: Key; readonly kind: Kind },
): boolean {
  if (reason.cause !== 'change') return false
  return changes.includes(reason.change) && reason.key === key && reason.kind === kind
}

/** Whether a run that failed would come back later than what did not fail wants it to. */
function isLaterThan(error: unknown, waitMs: number): boolean {
  const afterMs = error instanceof RetryLaterError ? (error.afterMs ?? 0) : 0
  return isSetpointError(error, 'GIVE_UP') || afterMs > waitMs
}
