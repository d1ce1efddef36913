import { keyOf, type KindCache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import type { Outcome, Run } from '../controller/index.ts'
import { GiveUpError } from '../controller/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { childManifest, childName } from './child-manifest.ts'
import type { RecordedEvent } from './recorded-event.ts'
import type { Finalizer } from './finalizer.ts'
import { isReady } from './is-ready.ts'
import type {
  ApiResource,
  ChildDeclaration,
  OperatorDeclaration,
  StatedFields,
} from './operator-declaration.ts'
import { OwnedWriter } from './owned-writer.ts'
import { reconcileContext } from './reconcile-context.ts'
import type { StatusWriter } from './status-writer.ts'
import { when } from './when.ts'

/** What one run of one object needs. */
interface OwnerRunOptions {
  readonly declaration: OperatorDeclaration
  readonly client: Client
  readonly finalizer: Finalizer
  readonly statuses: StatusWriter
  readonly cacheOf: (kind: Kind) => KindCache
  /** What the object owns, of a kind. */
  readonly owned: (kind: Kind) => ApiResource[]
  readonly derivesReady: boolean
  readonly run: Run
  readonly owner: ApiResource
  readonly recordEvent: (event: RecordedEvent) => Promise<void>
}

/** An annotation that makes operators leave an object alone. */
const pauseAnnotation = 'setpoint.dev/paused'

/** One run: brings the world of one object closer to what it should be. */
export class OwnerRun {
  readonly #options: OwnerRunOptions
  readonly #writer: OwnedWriter
  readonly #children: Record<string, ApiResource | undefined> = {}
  /** What is wanted, by kind and key: what is owned but not in here is removed. */
  readonly #wantedKeys = new Set<string>()
  /** The children that should exist, by name. */
  readonly #wanted = new Set<string>()
  #hasWritten = false

  constructor(options: OwnerRunOptions) {
    const { client, declaration, run, owner, cacheOf } = options
    this.#options = options
    const fieldManager = declaration.options.name
    this.#writer = new OwnedWriter({ client, fieldManager, run, owner, cacheOf })
  }

  async go(): Promise<Outcome> {
    const { owner, declaration, finalizer, run } = this.#options
    if (owner.metadata.annotations?.[pauseAnnotation] === 'true') return undefined
    if (owner.metadata.deletionTimestamp !== undefined) return this.#cleanUp()
    const checked = this.#checked()
    if (declaration.cleanUps.length > 0) await finalizer.add(owner, run)
    await this.#applyChildren(checked)
    await this.#prune()
    const outcome = await declaration.reconcile?.(
      checked,
      reconcileContext({ ...this.#options, writer: this.#writer }),
    )
    const statusOutcome = await this.#writeStatus(checked)
    return outcome ?? statusOutcome
  }

  /** The object with its defaults, or a refusal that no retry can mend. */
  #checked(): ApiResource {
    const { owner, declaration } = this.#options
    const result = declaration.definition?.safeParse(owner)
    if (result === undefined) return owner
    if (result.success) return { ...(result.data as ApiResource), metadata: owner.metadata }
    const problems = result.issues.map(({ field, message }) => `${field}: ${message}`)
    throw new GiveUpError(
      `${owner.kind} ${keyOf(owner.metadata)} is invalid: ${problems.join('; ')}`,
    )
  }

  async #cleanUp(): Promise<Outcome> {
    const { owner, declaration, finalizer, run } = this.#options
    if (!finalizer.isOn(owner)) return undefined
    for (const cleanUp of declaration.cleanUps) await cleanUp(owner, { signal: run.signal })
    await finalizer.remove(owner, run)
    return undefined
  }

  async #applyChildren(owner: ApiResource): Promise<void> {
    const { declaration } = this.#options
    for (const child of declaration.children) {
      this.#children[child.name] = await this.#child(owner, child)
    }
  }

  async #child(owner: ApiResource, child: ChildDeclaration): Promise<ApiResource | undefined> {
    const { declaration } = this.#options
    const { kind, onImmutable } = child
    const wanted = child.desired(owner, { children: this.#children })
    const name = childName(declaration, child, owner)
    if (wanted === null) return undefined
    const manifest = childManifest({ owner, kind, name, wanted })
    const key = keyOf(manifest.metadata)
    this.#wanted.add(child.name)
    this.#wantedKeys.add(`${kind.apiVersion} ${kind.plural} ${key}`)
    const before = this.#writer.live(kind, key)
    const isHeldBack = (child.after ?? []).some((before) => !this.#isReady(before))
    if (isHeldBack && before === undefined) return undefined
    const after = await this.#writer.apply(kind, manifest, onImmutable)
    if (after !== before) this.#hasWritten = true
    return after
  }

  #isReady(name: string): boolean {
    const child = this.#options.declaration.children.find((one) => one.name === name)
    const live = this.#children[name]
    if (child === undefined || live === undefined) return false
    return (child.readyWhen ?? isReady)(live)
  }

  /** Removes what the object owns and no longer wants, after asking the server whether the object still is there. */
  async #prune(): Promise<void> {
    const { declaration, owned } = this.#options
    const kinds = new Map(
      declaration.children.map(({ kind }) => [`${kind.apiVersion} ${kind.plural}`, kind]),
    )
    for (const [name, kind] of kinds) {
      const unwanted = owned(kind).filter(
        (object) =>
          isControlled(object, this.#options.owner) &&
          !this.#wantedKeys.has(`${name} ${keyOf(object.metadata)}`),
      )
      for (const object of unwanted) {
        if (!(await this.#isStillCurrent())) return
        await this.#writer.delete(kind, object)
      }
    }
  }

  async #isStillCurrent(): Promise<boolean> {
    const { client, owner, declaration, run } = this.#options
    const live = (await client.find(declaration.kind, owner.metadata, {
      signal: run.signal,
    })) as ApiResource | undefined
    const { uid, generation, deletionTimestamp } = live?.metadata ?? { uid: '' }
    return (
      uid === owner.metadata.uid &&
      generation === owner.metadata.generation &&
      deletionTimestamp === undefined
    )
  }

  /**
   * Writes the status, unless it would only say for a moment that a child's controller has not looked yet: that is so
   * after every foreign annotation, and passes by itself. If it does not pass, it is written at the next look.
   */
  async #writeStatus(owner: ApiResource): Promise<Outcome> {
    const { statuses, run } = this.#options
    const stated = this.#stated(owner)
    if (stated === undefined) return undefined
    if (!statuses.differs(this.#options.owner, stated)) return undefined
    const isFirstLook = run.reasons.every(({ cause }) => cause === 'change') && !this.#hasWritten
    const isUnobserved = Object.values(this.#children).some(lagsBehind)
    if (isFirstLook && isUnobserved && statuses.isCurrent(owner)) return { recheckAfter: observeMs }
    await statuses.write(this.#options.owner, stated, run)
    return undefined
  }

  /** What the author states; a Ready condition that nobody states follows from the children. */
  #stated(owner: ApiResource): StatedFields | undefined {
    const { status, definition, children } = this.#options.declaration
    const stated = status?.(owner, this.#children) ?? {}
    const isDerived =
      this.#options.derivesReady && definition?.conditions.includes('Ready') === true
    if (!isDerived || stated.conditions?.['Ready'] !== undefined) {
      return status === undefined ? undefined : stated
    }
    const waiting = children.filter(({ name }) => this.#wanted.has(name) && !this.#isReady(name))
    const names = waiting.map(({ name }) => name).join(', ')
    const message = names === '' ? 'everything is as it should be' : `waiting for ${names}`
    const Ready = when(waiting.length === 0, 'Reconciled', message)
    return { ...stated, conditions: { ...stated.conditions, Ready } }
  }
}

/** How long a child's controller gets to notice a change before the status speaks of it. */
const observeMs = 1_000

/** Whether a controller has not seen the latest change of an object it reports on. */
function lagsBehind(object: ApiResource | undefined): boolean {
  const { observedGeneration } = (object?.['status'] ?? {}) as { observedGeneration?: number }
  const { generation } = object?.metadata ?? {}
  return (
    generation !== undefined && observedGeneration !== undefined && observedGeneration < generation
  )
}

function isControlled(object: ApiResource, owner: ApiResource): boolean {
  const { ownerReferences = [] } = object.metadata
  return ownerReferences.some(
    ({ uid, controller }) => uid === owner.metadata.uid && controller === true,
  )
}
