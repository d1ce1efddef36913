import {
  operator,
  RetryLaterError,
  type AnyOperator,
  type Kind,
  type ReconcileContext,
  type RunningOperators,
} from 'setpoint'
import { CustomResourceDefinition, Event, metadataOf } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { isTerminating } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
import { ignoreApiError } from '../ignore-api-error.ts'
import {
  builtinKinds,
  kindOfDefinition,
  type AnyObject,
  type OwnerReference,
  type RemoteKinds,
} from '../served-kinds.ts'
import { KeySource } from '../key-source.ts'
import { foregroundFinalizer, orphanFinalizer, OwnerGraph, type GraphNode } from './owner-graph.ts'
import { dependentAction, type OwnerState } from './dependent-action.ts'
import { RemoteCollectors } from './remote-collectors.ts'

type AnyKind = Kind<AnyObject>
type Context = Pick<
  ReconcileContext<AnyKind, AnyKind>,
  'client' | 'delete' | 'patch' | 'recordEvent' | 'signal'
>

/** Identifies an object. */
type ObjectPlace = Pick<GraphNode, 'apiVersion' | 'kind' | 'name'> & {
  readonly namespace?: string | undefined
}

/** Which kinds have objects. */
export interface KindsInUse {
  /** Whether there is an object of a built-in kind. */
  has(kind: Kind): boolean
  /** Calls back once, when the first object of a built-in kind is created. */
  onFirst(kind: Kind, run: () => void): void
}

/** The dependencies of the collector. */
interface CollectorOptions {
  /**
   * Kinds that other controllers cache as whole objects. A metadata cache would be a second copy.
   */
  readonly wholeKinds: ReadonlySet<Kind>
  readonly used: KindsInUse
  /** The kinds of aggregated APIs: their objects can be owners and dependents. */
  readonly remoteKinds: () => RemoteKinds
  /** Called for every deleted object, with its kind and namespace. */
  readonly removed: (kind: Kind, namespace: string) => void
  /** Starts operators for kinds that are added later. */
  readonly launch: (operators: readonly AnyOperator[]) => Promise<RunningOperators>
}

/**
 * Deletes objects whose owners are gone, and completes foreground and orphan deletion of owners. It
 * is one operator for each kind, and all of them share one graph. Most kinds are never used, so
 * their operators start with the first object.
 */
export class GarbageCollector {
  readonly #options: CollectorOptions
  #names = 0
  readonly #keySources = new Map<string, KeySource>()
  readonly #kinds = new Map<string, Kind>()
  readonly #late = new Map<string, Promise<RunningOperators>>()
  /**
   * Built-in kinds that have objects and are not watched yet, by id. Their objects are missing in
   * the graph.
   */
  readonly #unwatched = new Set<string>()
  /** Operators that start together. */
  #due: AnyOperator[] = []
  /** Terminating owners that wait until all kinds are watched. */
  readonly #held = new Map<string, AnyObject>()
  readonly #graph = new OwnerGraph((node) => this.#enqueue(node))

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  /**
   * An operator for each built-in kind that has objects, and those that follow
   * CustomResourceDefinitions and APIServices.
   */
  operators(): AnyOperator[] {
    const { wholeKinds, used } = this.#options
    // Events own nothing and are deleted by their TTL.
    const kinds = builtinKinds.filter((kind) => kind !== Event)
    const isWatched = (kind: Kind): boolean => wholeKinds.has(kind) || used.has(kind)
    for (const kind of kinds) {
      this.#kinds.set(kindId(kind), kind)
      if (!isWatched(kind)) used.onFirst(kind, () => this.#startLate(kind))
    }
    const remote = new RemoteCollectors({
      ...this.#options,
      collector: (kind) => this.#collector(kind, () => this.#onWatched(kind)),
    })
    const builtin = kinds.filter(isWatched).map((kind) => this.#collector(kind))
    return [...builtin, this.#definitions(), remote.operator()]
  }

  /**
   * Starts the operator of a kind with its first object. Kinds that are first used at the same time
   * start together.
   */
  #startLate(kind: Kind): void {
    this.#unwatched.add(kindId(kind))
    this.#due.push(this.#collector(kind, () => this.#onWatched(kind)))
    if (this.#due.length > 1) return
    queueMicrotask(() => {
      const due = this.#due
      this.#due = []
      void this.#options.launch(due)
    })
  }

  /**
   * Called when a kind is watched completely. Deletions before that were not observed, so its
   * dependents are enqueued.
   */
  #onWatched({ apiVersion, kind }: Kind): void {
    this.#unwatched.delete(`${apiVersion} ${kind}`)
    for (const dependent of this.#graph.dependentsOfKind(apiVersion, kind)) this.#enqueue(dependent)
    if (this.#unwatched.size > 0) return
    const held = [...this.#held.values()]
    this.#held.clear()
    for (const { metadata, ...type } of held) this.#enqueue({ ...type, ...metadata })
  }

  #definitions(): AnyOperator {
    return operator(CustomResourceDefinition, { ...controllerOptions, name: 'garbage-kinds' })
      .onEvent(async ({ type, object }) => {
        const { name } = object.metadata
        if (type !== 'removed') return
        const late = this.#late.get(name)
        this.#late.delete(name)
        await (await late)?.stop()
      })
      .reconcile(async (definition) => {
        const { name } = definition.metadata
        const kind = kindOfDefinition(definition)
        if (kind === undefined || this.#late.has(name)) return
        const collector = this.#collector(kind, () => this.#onWatched(kind))
        this.#late.set(name, this.#options.launch([collector]))
        await this.#late.get(name)
      })
  }

  /** A name that is unique, even for kinds with one plural in several groups, and not too long. */
  #nextName({ plural }: Kind): string {
    this.#names += 1
    return `garbage-collector-${this.#names}-${plural}`.slice(0, 60).replace(/-+$/, '')
  }

  /** `onWatched` is called when all objects of the kind are known. */
  #collector(given: Kind, onWatched: () => void = () => undefined): AnyOperator {
    const isWhole = this.#options.wholeKinds.has(given)
    // The collector reads the same fields of all kinds.
    const kind = (isWhole ? given : metadataOf(given)) as AnyKind
    const id = kindId(given)
    const keySource = new KeySource()
    this.#keySources.set(id, keySource)
    this.#kinds.set(id, given)
    return operator(kind, {
      ...controllerOptions,
      name: this.#nextName(given),
      eventSource: 'garbage-collector-controller',
      reconcileDeleting: true,
      filter: ({ object, old }) =>
        needsWork(object) && (old === undefined || isRelevantChange(object, old)),
    })
      .writes(kind)
      .source(
        'graph',
        // Opened when the cache is complete.
        (signal) => {
          onWatched()
          return keySource.keys(signal)
        },
        (key) => [key],
      )
      .onEvent(async ({ type, object }) => {
        const { uid, namespace } = object.metadata
        if (type !== 'removed') this.#graph.put(object)
        else {
          this.#graph.remove(uid)
          if (namespace !== undefined) this.#options.removed(given, namespace)
        }
      })
      .reconcile(async (object, ctx) => this.#reconcile(kind, object, ctx))
  }

  #enqueue({ apiVersion, kind, namespace, name }: ObjectPlace): void {
    this.#keySources
      .get(`${apiVersion} ${kind}`)
      ?.add(namespace === undefined ? name : `${namespace}/${name}`)
  }

  async #reconcile(kind: AnyKind, object: AnyObject, ctx: Context): Promise<undefined> {
    const { uid, finalizers = [], ownerReferences = [] } = object.metadata
    if (isTerminating(object)) {
      // Not all dependents are known yet.
      if (this.#unwatched.size > 0) this.#held.set(uid, object)
      else if (finalizers.includes(orphanFinalizer)) await this.#orphan(kind, object, ctx)
      else if (finalizers.includes(foregroundFinalizer)) await this.#wait(kind, object, ctx)
      return
    }
    if (ownerReferences.length === 0) return
    const states = await this.#ownerStates(object, ctx)
    const dependents = this.#graph.dependentsOf(uid)
    const action = dependentAction(object, states, { hasDependents: dependents.length > 0 })
    if (action.type === 'release') {
      await patchOwners(ctx, kind, {
        object,
        gone: new Set(action.owners.map((owner) => owner.uid)),
      })
    }
    if (action.type === 'delete') {
      await ctx.delete(kind, object, { propagation: action.propagation })
    }
  }

  /**
   * Removes the finalizer of an owner that no dependent blocks, or else enqueues the blocking
   * dependents.
   */
  async #wait(kind: AnyKind, object: AnyObject, ctx: Context): Promise<void> {
    const blockers = this.#graph.blockersOf(object.metadata.uid)
    if (blockers.length === 0)
      return removeFinalizer(ctx, kind, { object, finalizer: foregroundFinalizer })
    for (const blocker of blockers) if (!blocker.isForeground) this.#enqueue(blocker)
  }

  /** Removes the owner from its dependents, then the finalizer from the owner. */
  async #orphan(kind: AnyKind, object: AnyObject, ctx: Context): Promise<void> {
    const { uid } = object.metadata
    for (const node of this.#graph.dependentsOf(uid)) {
      const dependentKind = this.#kinds.get(`${node.apiVersion} ${node.kind}`) as
        AnyKind | undefined
      if (dependentKind === undefined) continue
      const live = await ctx.client.find(dependentKind, node)
      if (live?.metadata.uid !== node.uid) continue
      await patchOwners(ctx, dependentKind, { object: live, gone: new Set([uid]) })
    }
    await removeFinalizer(ctx, kind, { object, finalizer: orphanFinalizer })
  }

  async #ownerStates(object: AnyObject, ctx: Context): Promise<Map<OwnerReference, OwnerState>> {
    const states = new Map<OwnerReference, OwnerState>()
    for (const owner of object.metadata.ownerReferences ?? []) {
      states.set(owner, await this.#ownerState(object, owner, ctx))
    }
    return states
  }

  async #ownerState(
    { metadata }: AnyObject,
    owner: OwnerReference,
    ctx: Context,
  ): Promise<OwnerState> {
    const { namespace } = metadata
    const known = this.#graph.get(owner.uid)
    const kind = this.#kinds.get(`${owner.apiVersion} ${owner.kind}`) ?? this.#remoteKind(owner)
    if (kind === undefined)
      throw new RetryLaterError(`the kind ${owner.apiVersion} ${owner.kind} is not watched yet`)
    // An owner reference across namespaces is invalid.
    const isElsewhere = known?.namespace !== undefined && known.namespace !== namespace
    if (known !== undefined && isElsewhere)
      await this.#recordInvalidNamespace(owner, namespace, ctx)
    if (known?.name === owner.name && !isElsewhere) return known.isForeground ? 'waiting' : 'solid'
    if (kind.scope === 'Namespaced' && namespace === undefined) return 'solid'
    const place =
      kind.scope === 'Namespaced' ? { namespace, name: owner.name } : { name: owner.name }
    const live = (await ctx.client.find(metadataOf(kind), place)) as AnyObject | undefined
    if (live?.metadata.uid !== owner.uid) return 'absent'
    const { finalizers = [] } = live.metadata
    const isWaiting = isTerminating(live) && finalizers.includes(foregroundFinalizer)
    return isWaiting ? 'waiting' : 'solid'
  }

  #remoteKind(owner: OwnerReference): Kind | undefined {
    return this.#options
      .remoteKinds()
      .kinds.find(({ apiVersion, kind }) => apiVersion === owner.apiVersion && kind === owner.kind)
  }

  async #recordInvalidNamespace(
    owner: OwnerReference,
    namespace: string | undefined,
    ctx: Context,
  ): Promise<void> {
    const { apiVersion, kind, name, uid } = owner
    const what = `[${apiVersion}/${kind}, namespace: ${namespace ?? ''}, name: ${name}, uid: ${uid}]`
    const message = `ownerRef ${what} does not exist in namespace "${namespace ?? ''}"`
    await ctx.recordEvent({ type: 'Warning', reason: 'OwnerRefInvalidNamespace', message })
  }
}

/** Whether an object can need work: it is terminating or has owners. */
function needsWork(object: AnyObject): boolean {
  return isTerminating(object) || (object.metadata.ownerReferences ?? []).length > 0
}

/** Whether a change affects fields that the collector reads. */
function isRelevantChange({ metadata: now }: AnyObject, { metadata: before }: AnyObject): boolean {
  return (
    now.deletionTimestamp !== before.deletionTimestamp ||
    !jsonEquals(now.finalizers ?? [], before.finalizers ?? []) ||
    !jsonEquals(now.ownerReferences ?? [], before.ownerReferences ?? [])
  )
}

function kindId({ apiVersion, kind }: Kind): string {
  return `${apiVersion} ${kind}`
}

async function removeFinalizer(
  ctx: Context,
  kind: AnyKind,
  { object, finalizer }: { object: AnyObject; finalizer: string },
): Promise<void> {
  const { finalizers = [], resourceVersion } = object.metadata
  const kept = finalizers.filter((one) => one !== finalizer)
  await ignoreApiError(
    ctx.patch(kind, object, { merge: { metadata: { resourceVersion, finalizers: kept } } }),
    'API_NOT_FOUND',
  )
}

async function patchOwners(
  ctx: Context,
  kind: AnyKind,
  { object, gone }: { object: AnyObject; gone: ReadonlySet<string> },
): Promise<void> {
  const { ownerReferences = [], uid, resourceVersion } = object.metadata
  const kept = ownerReferences.filter((owner) => !gone.has(owner.uid))
  if (kept.length === ownerReferences.length) return
  const merge = {
    metadata: { uid, resourceVersion, ownerReferences: kept.length === 0 ? null : kept },
  }
  await ignoreApiError(ctx.client.patch(kind, object.metadata, { merge }), 'API_NOT_FOUND')
}
