import {
  operator,
  RetryLaterError,
  type AnyOperator,
  type Frozen,
  type Kind,
  type ReconcileContext,
  type RunningOperators,
} from 'setpoint'
import { CustomResourceDefinition, Event, metadataOf } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { isTerminating } from '../../object/index.ts'
import { controllerOptions } from '../controller-options.ts'
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
import { patchOwners, removeFinalizer } from './owner-patches.ts'
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

/** The name of all collectors together. */
export const garbageCollector = 'garbage-collector'

/** Which kinds have objects, and when they are written. */
export interface KindsInUse {
  /** Whether there may be work of the collector among the objects of a built-in kind. */
  has(kind: Kind): boolean
  /** Whether an object of a built-in kind has owners. */
  hasOwned(kind: Kind): boolean
  /** Calls back once, with the next write of an object of a built-in kind. */
  onNext(kind: Kind, run: () => void): void
  /**
   * Calls back once, when an object is deleted or begins to be, or when one is written whose owner
   * does not exist; with the kind of the object if it is a built-in one.
   */
  onOwnership(run: (kind: Kind | undefined) => void): void
  /** The definitions of the custom kinds. */
  definitions(): Frozen<CustomResourceDefinition>[]
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
  /**
   * Called for every deleted object, with its kind and namespace. Without a namespace: objects of
   * the kind may have been deleted before it was watched.
   */
  readonly removed: (kind: Kind, namespace?: string) => void
  /** Starts operators of built-in kinds later. */
  readonly add: (operators: readonly AnyOperator[]) => void
  /** Starts operators for kinds that are added later. */
  readonly launch: (operators: readonly AnyOperator[]) => Promise<RunningOperators>
}

/**
 * Deletes objects whose owners are gone, and completes foreground and orphan deletion of owners. It
 * is one operator for each kind, and all of them share one graph. None runs before there is work:
 * with the first deletion, or the first missing owner, all kinds start that have objects with
 * owners, and from then on each kind with its next write.
 */
export class GarbageCollector {
  readonly #options: CollectorOptions
  #names = 0
  readonly #keySources = new Map<string, KeySource>()
  readonly #kinds = new Map<string, Kind>()
  /** The operators of custom kinds, by the name of their definition. */
  readonly #late = new Map<string, { kind: Kind; running: Promise<RunningOperators> }>()
  /** Built-in kinds whose operators have not been started, by id. */
  readonly #idle = new Map<string, Kind>()
  /** Kinds that are not watched completely yet, by id. Their objects are missing in the graph. */
  readonly #unwatched = new Set<string>()
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
    const { used } = this.#options
    // Events own nothing and are deleted by their TTL.
    const kinds = builtinKinds.filter((kind) => kind !== Event)
    for (const kind of kinds) {
      this.#kinds.set(kindId(kind), kind)
      if (!used.has(kind)) this.#idle.set(kindId(kind), kind)
    }
    used.onOwnership((kind) => this.#startAll(kind))
    const remote = new RemoteCollectors({
      ...this.#options,
      collector: (kind) => this.#collector(kind, () => this.#onWatched(kind)),
    })
    const started = kinds.filter((kind) => !this.#idle.has(kindId(kind)))
    const builtin = started.map((kind) => this.#collector(kind))
    return [...builtin, this.#definitions(), remote.operator()]
  }

  /** Starts the operator of a built-in kind. */
  #startLate(kind: Kind): void {
    if (!this.#idle.delete(kindId(kind))) return
    this.#unwatched.add(kindId(kind))
    this.#options.add([this.#collector(kind, () => this.#onWatched(kind))])
  }

  /**
   * Starts the operators of all kinds whose objects can be dependents, and of the kind that was
   * written. The others start with the next write of their kind.
   */
  #startAll(written: Kind | undefined): void {
    const { used } = this.#options
    for (const kind of this.#idle.values()) {
      if (kind === written || used.hasOwned(kind)) this.#startLate(kind)
      else used.onNext(kind, () => this.#startLate(kind))
    }
    for (const definition of used.definitions()) this.#startCustom(definition)
  }

  /** Starts the operator of a custom kind. */
  #startCustom(definition: Frozen<CustomResourceDefinition>): void {
    const { name } = definition.metadata
    const kind = kindOfDefinition(definition)
    if (kind === undefined || this.#late.has(name)) return
    this.#unwatched.add(kindId(kind))
    const collector = this.#collector(kind, () => this.#onWatched(kind))
    this.#late.set(name, { kind, running: this.#options.launch([collector]) })
  }

  /**
   * Called when a kind is watched completely. Deletions before that were not observed, so its
   * dependents are enqueued.
   */
  #onWatched(watched: Kind): void {
    const { apiVersion, kind } = watched
    this.#unwatched.delete(kindId(watched))
    this.#options.removed(watched)
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
        await (await late?.running)?.stop()
        // Nothing waits for its objects any more.
        if (late !== undefined && this.#unwatched.has(kindId(late.kind))) this.#onWatched(late.kind)
      })
      .reconcile(async (definition) => {
        this.#startCustom(definition)
        await this.#late.get(definition.metadata.name)?.running
      })
  }

  /** A name that is unique, even for kinds with one plural in several groups, and not too long. */
  #nextName({ plural }: Kind): string {
    this.#names += 1
    return `${garbageCollector}-${this.#names}-${plural}`.slice(0, 60).replace(/-+$/, '')
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
    const kind = this.#kindOf(owner)
    if (kind === undefined) throw notWatched(owner)
    // An owner reference across namespaces is invalid.
    const isElsewhere = known?.namespace !== undefined && known.namespace !== namespace
    if (known !== undefined && isElsewhere)
      await this.#recordInvalidNamespace(owner, namespace, ctx)
    if (known?.name === owner.name && !isElsewhere) return known.isForeground ? 'waiting' : 'solid'
    if (kind.scope === 'Namespaced' && namespace === undefined) return 'solid'
    const place =
      kind.scope === 'Namespaced' ? { namespace, name: owner.name } : { name: owner.name }
    const live = (await ctx.client.find(metadataOf(kind), place)) as AnyObject | undefined
    if (live?.metadata.uid !== owner.uid) {
      // It may be in another namespace, which is reported.
      this.#checkComplete(kind)
      return 'absent'
    }
    const { finalizers = [] } = live.metadata
    const isWaiting = isTerminating(live) && finalizers.includes(foregroundFinalizer)
    return isWaiting ? 'waiting' : 'solid'
  }

  /** Makes sure that all objects of a kind are in the graph. */
  #checkComplete(kind: Kind): void {
    const id = kindId(kind)
    const builtin = this.#idle.get(id)
    if (builtin !== undefined) this.#startLate(builtin)
    if (!this.#keySources.has(id)) {
      const { used } = this.#options
      const isSame = ({ spec }: Frozen<CustomResourceDefinition>): boolean =>
        spec.group === kind.group && spec.names.kind === kind.kind
      for (const definition of used.definitions().filter(isSame)) this.#startCustom(definition)
    }
    if (this.#unwatched.has(id)) throw notWatched(kind)
  }

  #kindOf(owner: OwnerReference): Kind | undefined {
    const { remoteKinds, used } = this.#options
    const isOwner = ({ apiVersion, kind }: Kind): boolean =>
      apiVersion === owner.apiVersion && kind === owner.kind
    const known = this.#kinds.get(kindId(owner)) ?? remoteKinds().kinds.find(isOwner)
    if (known !== undefined) return known
    const custom = used.definitions().map(kindOfDefinition)
    const kind = custom.find((one) => one !== undefined && isOwner(one))
    if (kind !== undefined) this.#kinds.set(kindId(kind), kind)
    return kind
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

function kindId({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): string {
  return `${apiVersion} ${kind}`
}

function notWatched({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): RetryLaterError {
  return new RetryLaterError(`the kind ${apiVersion} ${kind} is not watched yet`)
}
