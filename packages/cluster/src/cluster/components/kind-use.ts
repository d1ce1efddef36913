import type { Kind } from 'setpoint'
import { type CustomResourceDefinition, Event } from 'setpoint/kinds'
import { definitionsBucket, type Registry } from '../../api/index.ts'
import { garbageCollector, type KindsInUse } from '../../controllers/index.ts'
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
  #onOwnership: (() => void) | undefined

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

  onOwnership(run: () => void): void {
    this.#onOwnership = run
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
    const onOwnership = this.#onOwnership
    if (onOwnership === undefined || !this.#isOwnership(event)) return
    this.#onOwnership = undefined
    onOwnership()
  }

  #isOwnership({ type, bucket, current: { text } }: StoreEvent): boolean {
    // Events own nothing, and their time to live ends all the time.
    if (bucket === this.#bucketOf(Event)) return false
    if (type === 'deleted' || text.includes('"deletionTimestamp":')) return true
    return isOwned(text) && this.#options.store.get(definitionsBucket, nameOf(bucket)) !== undefined
  }
}

function isOwned(text: string): boolean {
  return text.includes('"ownerReferences":')
}

/** The name of the definition of a bucket, if its kind has one. */
function nameOf(bucket: string): string {
  const [group, plural] = bucket.split('/')
  return `${plural}.${group}`
}
