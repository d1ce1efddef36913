import type { Cache, Change, Key } from '../../cache/index.ts'
import type { Client } from '../../client/index.ts'
import {
  Controller,
  type Outcome,
  type Reason,
  type Run,
  type RunReport,
} from '../../controller/index.ts'
import { EventRecorder } from '../../events/index.ts'
import type { IndexAccess } from '../../handlers/index.ts'
import { type Host, limitMs } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Logger } from '../../log/index.ts'
import type { MetricsRegistry } from '../../metrics/index.ts'
import { followSource, keysIn } from '../../sources/index.ts'
import type { CacheView } from '../declare/contexts.ts'
import type { OperatorDeclaration, WatchDeclaration } from '../declare/operator-declaration.ts'
import { FailureEvents } from '../failures/failure-events.ts'
import type { SharedFailures } from '../failures/shared-failures.ts'
import { Finalizer, needsFinalizer } from '../owner/finalizer.ts'
import { ownerKeys } from '../owner/owner-reference.ts'
import { OwnerFreshness } from '../owner/owner-freshness.ts'
import { OwnerState } from '../owner/owner-state.ts'
import { ownerView } from '../owner/owner-view.ts'
import { RunbookRuntime } from '../runbooks/runbook-runtime.ts'
import { ReadyAuthor } from '../status/ready-author.ts'
import { StatusDraft } from '../status/status-draft.ts'
import { StatusWriter } from '../status/status-writer.ts'
import { TerminatingNamespaces } from '../write/terminating-namespaces.ts'
import { createHandlerRuntime } from './create-handler-runtime.ts'
import { FollowedKinds } from './followed-kinds.ts'
import { ObjectReconciler } from './object-reconciler.ts'
import { OperatorCaches } from './operator-caches.ts'
import type { OperatorServices } from './operator-services.ts'

/** The dependencies of an operator. */
interface RuntimeParts {
  readonly host: Host
  readonly client: Client
  readonly cache: Cache
  readonly log: Logger
  readonly metrics: MetricsRegistry
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /** The failures of all operators of the resource. */
  readonly shared: SharedFailures
}

/**
 * A running operator: its caches, its controller, and its services for the reconcile of an object.
 */
export class OperatorRuntime {
  readonly #declaration: OperatorDeclaration
  readonly #services: OperatorServices
  readonly #controller: Controller
  readonly #view: CacheView & IndexAccess
  /** Objects that are deselected, until they are released. */
  readonly #deselected = new Set<Key>()
  #isWorking = false

  constructor(declaration: OperatorDeclaration, parts: RuntimeParts) {
    const services = servicesOf(declaration, parts)
    const { caches, handlers } = services
    const { timeout } = declaration.options
    this.#declaration = declaration
    this.#services = services
    this.#view = { ...ownerView(undefined, caches), ...handlers.access }
    this.#controller = new Controller({
      ...declaration.options,
      deadlineMs: timeout === undefined ? undefined : limitMs(timeout, 'timeout'),
      host: parts.host,
      reconcile: async (run) => this.#reconcile(run),
      onRunEnd: parts.onRunEnd,
      onOverdue: async (run, error) => this.#reportOverdue(run, error),
    })
    services.followed.connect((watched, keysOf) => this.#controller.watch(watched, keysOf))
  }

  get name(): string {
    return this.#declaration.options.name
  }

  /** Whether it serves no namespace now, and therefore no object. */
  get servesNoNamespace(): boolean {
    return this.#services.caches.resource.hasNoNamespace
  }

  /** For metrics. */
  get controller(): Controller {
    return this.#controller
  }

  /**
   * Runs until it is stopped: waits for the caches, then reconciles. `since` is the revision at
   * which the term of the leader began.
   */
  async run(signal: AbortSignal, since?: string): Promise<void> {
    const { caches, handlers, runbooks, host, log, freshness } = this.#services
    freshness.begin(since)
    await caches.whenSynced(signal)
    if (this.servesNoNamespace) log.warn('serves no object: its option namespaces matches none')
    const hasReady = this.#declaration.definition?.conditions.includes('Ready') === true
    // Failing daemons and timers are part of the Ready condition, which a reconcile writes.
    handlers.begin((key, why) => void (hasReady && this.trigger(key, why)))
    runbooks.trigger = (key, why) => void this.trigger(key, why)
    this.#watchCaches()
    const sources = this.#declaration.sources.map((source) =>
      followSource(source, {
        host,
        log,
        signal,
        trigger: (key, why) => this.trigger(key, why),
      }),
    )
    this.#isWorking = true
    await this.#controller.run()
    this.#isWorking = false
    await Promise.all([handlers.stop(), runbooks.tasks.stop()])
    await Promise.all(sources)
  }

  /**
   * Enqueues a key for an external event. Returns `false` when this replica is not working. Keys of
   * objects that do not exist are dropped, so that events cannot fill the queue.
   */
  trigger(key: Key, why: string): boolean {
    const isKnown = this.#services.caches.resource.entry(key) !== undefined
    if (this.#isWorking && isKnown) this.#controller.trigger(key, why)
    return this.#isWorking
  }

  /** Starts no further reconcile; `run` resolves when those in progress have ended. */
  stop(): void {
    this.#controller.stop()
    void this.#services.handlers.stop()
    void this.#services.runbooks.tasks.stop()
  }

  /** Aborts the reconciles in progress. */
  abort(reason: Error): void {
    this.#controller.abort(reason)
    this.#services.handlers.abandon()
    this.#services.runbooks.tasks.abandon()
  }

  /** Releases the caches. */
  dispose(): void {
    this.#services.followed.dispose()
    this.#services.caches.dispose()
  }

  #watchCaches(): void {
    const { caches } = this.#services
    const { filter, watches } = this.#declaration
    this.#controller.watch(caches.resource, (change) => {
      const own = [change.key]
      // The filter is not called for deletions, because the operator has to forget the object.
      const isGone = change.type === 'removed' || change.type === 'deselected'
      if (filter === undefined || isGone) return own
      return this.#keysOf({ keysOf: () => own, filter }, change)
    })
    for (const kind of caches.ownedKinds()) {
      this.#controller.watch(caches.of(kind), (change) => this.#ownersOf(change))
    }
    for (const watch of watches) {
      const keysOf = (change: Change): Iterable<Key> => this.#keysOf(watch, change)
      this.#controller.watch(caches.ofWatch(watch), keysOf, caches.of(watch.kind))
    }
  }

  /**
   * The keys that a change enqueues. An error of the author's function must not break the watch.
   */
  #keysOf(
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
      const message = `the mapping function of .watch(${object.kind}) threw for ${key}`
      this.#services.log.error({ err }, message)
      return []
    }
  }

  /** The owners before and after a change: an owner that lost an object creates it again. */
  #ownersOf({ current, previous }: Change): Set<Key> {
    const { kind } = this.#declaration
    const objects = [current, previous].flatMap((entry) => entry?.object ?? []) as ApiResource[]
    return new Set(objects.flatMap((object) => ownerKeys(object, kind)))
  }

  async #reconcile(run: Run): Promise<Outcome> {
    const { caches, followed } = this.#services
    await caches.whenSynced(run.signal)
    const owner = await this.#ownerOf(run)
    if (owner === undefined) return this.#forget(run)
    this.#deselected.delete(run.key)
    const outcome = await new ObjectReconciler(this.#services, owner, run).reconcile()
    followed.keep(run)
    return outcome
  }

  /**
   * The object of a reconcile. If the cache is stale, it comes from the server, because otherwise
   * handlers would be called again.
   */
  async #ownerOf({ key, isCacheStale, signal }: Run): Promise<ApiResource | undefined> {
    const { caches, client } = this.#services
    const cached = caches.resource.get(key) as ApiResource | undefined
    if (cached === undefined || isCacheStale !== true) return cached
    const live = await client.find(this.#declaration.kind, cached.metadata, { signal })
    return live as ApiResource | undefined
  }

  async #forget(run: Run): Promise<void> {
    const { caches, finalizer, statuses, shared, author } = this.#services
    const { handlers, runbooks, followed } = this.#services
    followed.forget(run.key)
    // A stale cache that still has the object would show the finalizer again.
    if (caches.resource.get(run.key) === undefined) finalizer.forget(run.key)
    author.forget(run.key)
    statuses.forget(run.key)
    shared.forget(run.key, this.name)
    runbooks.tasks.end(run.key)
    await handlers.forget(run.key)
    await this.#releaseDeselected(run)
  }

  /**
   * Releases an object that exists and is no longer selected. Our finalizer would keep it forever,
   * and no other operator would find its children in other namespaces. Children with an owner
   * reference stay.
   */
  async #releaseDeselected(run: Run): Promise<void> {
    const { kind, options } = this.#declaration
    const { labelSelector } = options
    const { key, signal } = run
    // An object that is missing in a relist is either deselected or deleted.
    const mayBeDeselected = labelSelector !== undefined && needsFinalizer(this.#declaration)
    const changes = mayBeDeselected ? ['deselected', 'removed'] : ['deselected']
    const isDeselected = run.reasons.some((reason) => isChange(reason, changes, { key, kind }))
    // It is kept until it is released, because a retry after a failure has another reason.
    if (isDeselected) this.#deselected.add(key)
    if (!this.#deselected.has(key)) return
    const [name = '', namespace] = key.split('/').reverse()
    const { client } = this.#services
    const live = await client.find(kind, { name, namespace }, { signal })
    const where = { namespace, labelSelector, fieldSelector: `metadata.name=${name}`, signal }
    // It may be selected again. Then a watch event follows.
    const isSelected = async (): Promise<boolean> =>
      labelSelector !== undefined && (await client.listAll(kind, where)).length > 0
    if (live !== undefined && !(await isSelected())) {
      await new ObjectReconciler(this.#services, live as ApiResource, run).release()
    }
    this.#deselected.delete(key)
  }

  async #reportOverdue(run: Run, error: unknown): Promise<void> {
    const { caches, log } = this.#services
    const object = caches.resource.get(run.key) as ApiResource | undefined
    if (object === undefined) return
    const owner = new OwnerState(object)
    const status = new StatusDraft({
      ...this.#services,
      owner,
      run,
      log: log.child({ key: run.key, run: run.id }),
      fresh: this.#services.freshness.of(owner, run),
    })
    await status.reportFailure(error)
  }
}

function servicesOf(
  declaration: OperatorDeclaration,
  { host, client, cache, log: processLog, metrics, shared }: RuntimeParts,
): OperatorServices {
  const { options, definition } = declaration
  const { name, fieldManager = name, eventSource = name } = options
  const log = processLog.child({ operator: name })
  const followed = new FollowedKinds({ declaration, cache, client })
  const caches = new OperatorCaches(declaration, cache, followed)
  const { resource } = caches
  shared.join(name, (key) => resource.get(key) !== undefined)
  const component = eventSource === false ? undefined : eventSource
  const events = new EventRecorder({ host, client, component })
  const services = {
    declaration,
    host,
    client,
    fieldManager,
    log,
    metrics,
    caches,
    followed,
    shared,
    events,
    terminating: new TerminatingNamespaces(host),
    freshness: new OwnerFreshness({ client, cache: resource }),
    finalizer: new Finalizer({ declaration, client, fieldManager, cache: resource }),
    statuses: new StatusWriter({ host, client, cache: resource, fieldManager, definition }),
    author: new ReadyAuthor({ host, log, fieldManager }),
    failureEvents: new FailureEvents({ declaration, log, events }),
  }
  return {
    ...services,
    handlers: createHandlerRuntime(services),
    runbooks: new RunbookRuntime(services),
  }
}

/** Whether a change of the object itself is a reason to reconcile it. */
function isChange(
  reason: Reason,
  changes: readonly string[],
  { key, kind: { kind } }: { readonly key: Key; readonly kind: Kind },
): boolean {
  if (reason.cause !== 'change') return false
  return changes.includes(reason.change) && reason.key === key && reason.kind === kind
}
