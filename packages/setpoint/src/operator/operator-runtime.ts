import {
  type Cache,
  type CacheShare,
  type Change,
  type Key,
  keyOf,
  type KindCache,
} from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import { Controller, type Outcome, type Run, type RunReport } from '../controller/index.ts'
import type { Host } from '../host/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { headline, SetpointError } from '../errors/index.ts'
import { EventRecorder } from './event-recorder.ts'
import { FailureReport } from './failure-report.ts'
import { Finalizer } from './finalizer.ts'
import type { ApiResource, OperatorDeclaration, WatchDeclaration } from './operator-declaration.ts'
import { OwnerRun } from './owner-run.ts'
import { StatusWriter } from './status-writer.ts'

/** What an operator runs with. */
interface RuntimeParts {
  readonly host: Host
  readonly client: Client
  readonly cache: Cache
  readonly onRunEnd?: ((report: RunReport) => void) | undefined
  /** Whether a Ready condition that nobody states is derived: not when several operators serve the resource. */
  readonly derivesReady: boolean
}

/** The index that finds what an object owns. */
const ownerIndex = 'owner uid'

/** An operator at work: its caches, its controller, and what they need to serve one object. */
export class OperatorRuntime {
  readonly #declaration: OperatorDeclaration
  readonly #parts: RuntimeParts
  readonly #shares = new Map<string, CacheShare<Kind>>()
  readonly #controller: Controller
  readonly #owners: KindCache
  readonly #finalizer: Finalizer
  readonly #statuses: StatusWriter
  readonly #events: EventRecorder
  readonly #failures: FailureReport

  constructor(declaration: OperatorDeclaration, parts: RuntimeParts) {
    const { kind: resource, options } = declaration
    this.#declaration = declaration
    this.#parts = parts
    this.#owners = this.#open(resource, options.labelSelector)
    const fieldManager = options.name
    this.#finalizer = new Finalizer(declaration, parts.client, this.#owners)
    this.#statuses = new StatusWriter({ ...parts, cache: this.#owners, fieldManager })
    this.#events = new EventRecorder({ ...parts, controller: options.name })
    const { host } = parts
    this.#failures = new FailureReport({
      declaration,
      host,
      statuses: this.#statuses,
      events: this.#events,
    })
    for (const kind of this.#ownedKinds()) this.#open(kind).addIndex(ownerIndex, ownerUids)
    for (const { kind } of declaration.watches) this.#open(kind)
    this.#controller = new Controller({
      ...options,
      host: parts.host,
      reconcile: async (run) => this.#run(run),
      onRunEnd: parts.onRunEnd,
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
    await Promise.all([...this.#shares.values()].map(({ cache }) => cache.whenSynced(signal)))
    const { watches } = this.#declaration
    this.#controller.watch(this.#owners, ({ key }) => [key])
    for (const kind of this.#ownedKinds()) {
      this.#controller.watch(this.#cacheOf(kind), (change) => this.#ownersOf(change))
    }
    for (const { kind, keysOf } of watches) {
      this.#controller.watch(this.#cacheOf(kind), ({ current, previous }) => {
        const objects = [current, previous].flatMap((entry) => entry?.object ?? []) as ApiResource[]
        return new Set(objects.flatMap((object) => this.#mapped(keysOf, object)))
      })
    }
    await this.#controller.run()
  }

  /** Takes on nothing new; `run` resolves when what is under way has finished. */
  stop(): void {
    this.#controller.stop()
  }

  /** Aborts what is under way. */
  abort(reason: Error): void {
    this.#controller.abort(reason)
  }

  /** Gives the caches back. */
  dispose(): void {
    for (const share of this.#shares.values()) share[Symbol.dispose]()
  }

  #ownedKinds(): Kind[] {
    const { children, owns } = this.#declaration
    const kinds = [...children.map(({ kind }) => kind), ...owns]
    return [...new Map(kinds.map((kind) => [cacheName(kind), kind])).values()]
  }

  #open(kind: Kind, labelSelector?: string | Readonly<Record<string, string>>): KindCache {
    const name = cacheName(kind)
    const known = this.#shares.get(name)
    if (known !== undefined) return known.cache
    const { namespaces } = this.#declaration.options
    const share = this.#parts.cache.open(kind, { namespaces, labelSelector })
    this.#shares.set(name, share)
    return share.cache
  }

  #cacheOf(kind: Kind): KindCache {
    const share = this.#shares.get(cacheName(kind))
    if (share !== undefined) return share.cache
    throw new SetpointError(
      'OPERATOR_INVALID',
      `${this.name} did not declare that it uses ${kind.kind}`,
      {
        hint: `add .owns(${kind.kind}) or .watch(${kind.kind}, ...) to the operator`,
      },
    )
  }

  /** What an author's function throws concerns one object; the watch it came over must not break from it. */
  #mapped(keysOf: WatchDeclaration['keysOf'], object: ApiResource): Key[] {
    try {
      return [...keysOf(object)]
    } catch (error) {
      const msg = `${this.name} could not tell whom ${object.kind} ${keyOf(object.metadata)} concerns`
      this.#parts.host.log(JSON.stringify({ level: 'error', msg, error: headline(error) }))
      return []
    }
  }

  /** The owners of an object, before and after a change: one that lost its owner concerns the one it had. */
  #ownersOf({ current, previous }: Change): Key[] {
    const { kind: resource } = this.#declaration
    const keys = [current, previous].flatMap((entry) => {
      const { metadata } = (entry?.object ?? { metadata: {} }) as Partial<ApiResource>
      return (metadata?.ownerReferences ?? []).flatMap((reference) => {
        const { apiVersion, kind, name } = reference
        const isOurs = kind === resource.kind && groupOf(apiVersion) === resource.group
        if (!isOurs) return []
        const namespace = resource.scope === 'Cluster' ? undefined : metadata?.namespace
        return [keyOf({ namespace, name })]
      })
    })
    return [...new Set(keys)]
  }

  async #run(run: Run): Promise<Outcome> {
    const owner = this.#owners.get(run.key) as ApiResource | undefined
    if (owner === undefined) return undefined
    const ownerRun = new OwnerRun({
      declaration: this.#declaration,
      client: this.#parts.client,
      finalizer: this.#finalizer,
      statuses: this.#statuses,
      cacheOf: (kind) => this.#cacheOf(kind),
      owned: (kind) =>
        [...this.#cacheOf(kind).indexed(ownerIndex, owner.metadata.uid)] as ApiResource[],
      derivesReady: this.#parts.derivesReady,
      run,
      owner,
      recordEvent: (event) => this.#events.record(owner, event, run.signal),
    })
    try {
      return await ownerRun.go()
    } catch (error) {
      await this.#failures.tell(owner, error, run)
      throw error
    }
  }
}

function cacheName({ apiVersion, plural }: Kind): string {
  return `${apiVersion} ${plural}`
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}

function ownerUids(object: unknown): string[] {
  const { ownerReferences = [] } = (object as ApiResource).metadata
  return ownerReferences.map(({ uid }) => uid)
}
