import type { Kind } from 'setpoint'
import { type CustomResourceDefinition, Event } from 'setpoint/kinds'
import { definitionsBucket, type Registry } from '../../api/index.ts'
import {
  builtinKinds,
  garbageCollector,
  type KindsInUse,
  type ObjectChange,
  type StartCondition,
} from '../../controllers/index.ts'
import type { Store, StoreEvent } from '../../store/index.ts'
import type { SettledOperators } from './settled.ts'

interface KindUseOptions {
  readonly store: Store
  readonly registry: Registry
  /** The operators that have no work in the state from which the cluster starts. */
  readonly settled: SettledOperators
}

/** Reads from the store which kinds have objects, and when they are written. */
export class KindUse implements KindsInUse {
  readonly #options: KindUseOptions
  readonly #onNext = new Map<string, (() => void)[]>()
  readonly #onMet = new Map<string, Set<ConditionalStart>>()
  #onOwnership: ((kind: Kind | undefined) => void) | undefined

  constructor(options: KindUseOptions) {
    this.#options = options
    options.store.observe((event) => this.#observe(event))
  }

  has(kind: Kind): boolean {
    return !this.isEmpty(kind) && !this.#options.settled.has(garbageCollector)
  }

  hasOwned(kind: Kind): boolean {
    for (const { text } of this.#options.store.list(this.#bucketOf(kind), '')) {
      if (isOwned(text)) return true
    }
    return false
  }

  /** Whether there is no object of a kind. */
  isEmpty(kind: Kind): boolean {
    return this.#options.store.count(this.#bucketOf(kind)) === 0
  }

  /** Whether there is a cluster-scoped object of a kind and a name. */
  hasObject(kind: Kind, name: string): boolean {
    return this.#options.store.get(this.#bucketOf(kind), name) !== undefined
  }

  onNext(kind: Kind, run: () => void): void {
    const bucket = this.#bucketOf(kind)
    const runs = this.#onNext.get(bucket)
    if (runs === undefined) this.#onNext.set(bucket, [run])
    else runs.push(run)
  }

  onOwnership(run: (kind: Kind | undefined) => void): void {
    this.#onOwnership = run
  }

  /** Whether an object meets one of the conditions. */
  isMet(conditions: readonly StartCondition[]): boolean {
    return conditions.some((condition) => {
      for (const { text } of this.#options.store.list(this.#bucketOf(condition.kind), '')) {
        if (condition.isMet({ isDeletion: false, object: objectIn(text) }, this)) return true
      }
      return false
    })
  }

  /** Calls back once, when a written object meets one of the conditions. */
  onMet(conditions: readonly StartCondition[], run: () => void): void {
    const start = { conditions, run }
    for (const { kind } of conditions) {
      const bucket = this.#bucketOf(kind)
      const starts = this.#onMet.get(bucket) ?? new Set()
      this.#onMet.set(bucket, starts.add(start))
    }
  }

  definitions(): CustomResourceDefinition[] {
    const stored = [...this.#options.store.list(definitionsBucket, '')]
    return stored.map(({ text }) => JSON.parse(`{${text}`) as CustomResourceDefinition)
  }

  #bucketOf({ group, version, plural }: Kind): string {
    return this.#options.registry.find(group, version, plural)?.bucket ?? ''
  }

  #observe(event: StoreEvent): void {
    const runs = this.#onNext.get(event.bucket)
    this.#onNext.delete(event.bucket)
    for (const run of runs ?? []) run()
    this.#checkConditions(event)
    const onOwnership = this.#onOwnership
    if (onOwnership === undefined || !this.#isOwnership(event)) return
    this.#onOwnership = undefined
    onOwnership(this.#kindIn(event.bucket))
  }

  #checkConditions({ bucket, type, current }: StoreEvent): void {
    const starts = this.#onMet.get(bucket)
    if (starts === undefined || starts.size === 0) return
    const change = { isDeletion: type === 'deleted', object: objectIn(current.text) }
    for (const start of starts) {
      const isMet = start.conditions.some(
        (condition) => this.#bucketOf(condition.kind) === bucket && condition.isMet(change, this),
      )
      if (!isMet) continue
      for (const others of this.#onMet.values()) others.delete(start)
      start.run()
    }
  }

  /** Whether a change concerns the garbage collector: a deletion, or an owner that is missing. */
  #isOwnership({ type, bucket, current: { key, text } }: StoreEvent): boolean {
    // Events own nothing, and their time to live ends all the time.
    if (bucket === this.#bucketOf(Event)) return false
    if (type === 'deleted' || text.includes('"deletionTimestamp":')) return true
    return isOwned(text) && !this.#hasOwners(key, text)
  }

  #hasOwners(key: string, text: string): boolean {
    const { ownerReferences = [] } = (objectIn(text) as OwnedObject).metadata
    const namespace = key.slice(0, key.lastIndexOf('/') + 1)
    return ownerReferences.every(({ apiVersion, kind, name, uid }) => {
      const { store, registry } = this.#options
      const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
      const isIt = (served: { group: string; kind: string }): boolean =>
        served.group === group && served.kind === kind
      const bucket = registry.all().find(isIt)?.bucket ?? ''
      const owner = store.get(bucket, namespace + name) ?? store.get(bucket, name)
      return owner?.text.includes(`"uid":"${uid}"`) === true
    })
  }

  #kindIn(bucket: string): Kind | undefined {
    return builtinKinds.find((kind) => this.#bucketOf(kind) === bucket)
  }
}

interface ConditionalStart {
  readonly conditions: readonly StartCondition[]
  readonly run: () => void
}

/** The part of an object that names its owners. */
interface OwnedObject {
  readonly metadata: {
    readonly ownerReferences?: readonly {
      readonly apiVersion: string
      readonly kind: string
      readonly name: string
      readonly uid: string
    }[]
  }
}

function objectIn(text: string): ObjectChange<never>['object'] {
  return JSON.parse(`{${text}`) as never
}

function isOwned(text: string): boolean {
  return text.includes('"ownerReferences":')
}
