import { keyOf, type KindCache } from '../cache/index.ts'
import type { Run } from '../controller/index.ts'
import { SetpointError } from '../errors/index.ts'
import type { Random } from '../host/host.ts'
import type { Kind } from '../kinds/kind.ts'
import {
  childAnnotation,
  type ChildManifest,
  childManifest,
  childName,
  deletionAnnotation,
} from './child-manifest.ts'
import { concernsAll, together } from './child-errors.ts'
import { isElsewhere } from './is-elsewhere.ts'
import type { ChildContext } from './contexts.ts'
import { isReady, lagsBehind } from './is-ready.ts'
import type {
  ApiResource,
  ChildDeclaration,
  LiveChild,
  OperatorDeclaration,
} from './operator-declaration.ts'
import type { OwnedWriter } from './owned-writer.ts'
import { isControlledBy } from './ownership.ts'
import { ownerView } from './reconcile-context.ts'
import { isMemberReady, mayUpdate, type Member } from './rollout.ts'

/** What making children needs. */
interface ChildrenRunOptions {
  readonly declaration: OperatorDeclaration
  readonly host: Random
  readonly cacheOf: (kind: Kind) => KindCache
  /** The object as the cache has it. */
  readonly owner: ApiResource
  readonly writer: OwnedWriter
  /** Keeps the object until it was cleaned up. */
  readonly addFinalizer: () => Promise<void>
  /** What the object owns, of a kind. */
  readonly owned: (kind: Kind) => ApiResource[]
  readonly run: Pick<Run, 'signal'>
  /** Asks the server whether the object still is what the cache says. */
  readonly isStillCurrent: () => Promise<boolean>
}

/** The children of one object, during one run: makes them, corrects them and removes those that are not wanted. */
export class ChildrenRun {
  readonly #options: ChildrenRunOptions
  readonly #live: Record<string, LiveChild> = {}
  /** The members of each child by its name: one, or those of a set. */
  readonly #members = new Map<string, readonly Member[]>()
  /** What is wanted, by kind and key: what is owned but not in here is removed. */
  readonly #wantedKeys = new Set<string>()
  #hasWritten = false
  #isRolling = false

  constructor(options: ChildrenRunOptions) {
    this.#options = options
  }

  /** The children as they are. */
  get live(): Readonly<Record<string, LiveChild>> {
    return this.#live
  }

  /** Whether this run changed a child. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  /** Whether members of a set were brought up to date and others may follow. */
  get isRolling(): boolean {
    return this.#isRolling
  }

  /** Whether the controller of some child has not seen its latest change. */
  get areUnobserved(): boolean {
    return [...this.#members.values()].flat().some(({ live }) => lagsBehind(live))
  }

  /** The children that are wanted and not ready, for people. */
  get waitingFor(): string[] {
    return [...this.#members].flatMap(([name, members]) => {
      const ready = members.filter(isMemberReady).length
      if (ready === members.length) return []
      const { isSet = false } = this.#declared(name) ?? {}
      return [isSet ? `${name} (${ready} of ${members.length} ready)` : name]
    })
  }

  /** Makes every child as `owner`, the object with its defaults, wants it. */
  async apply(owner: ApiResource): Promise<void> {
    const errors: unknown[] = []
    for (const child of this.#options.declaration.children) {
      try {
        await this.#applyChild(child, owner)
      } catch (error) {
        if (this.#options.run.signal.aborted || concernsAll(error)) throw error
        // One that fails holds back those that come after it, and no others.
        errors.push(error)
      }
    }
    if (errors.length > 0) throw together(errors)
  }

  async #applyChild(child: ChildDeclaration, owner: ApiResource): Promise<void> {
    const wanted = this.#wanted(child, owner)
    const isHeldBack = (child.after ?? []).some((name) => !this.#isReady(name))
    const members: Member[] = []
    for (const [key, manifest] of wanted) {
      members.push(this.#member(child, { key, manifest, isHeldBack }))
    }
    const show = (shown: readonly Member[]): void => {
      const byKey = Object.fromEntries(shown.map(({ key, live }) => [key, live]))
      this.#live[child.name] = child.isSet ? byKey : byKey['']
    }
    show(members)
    const applied = await this.#applyMembers(child, members)
    this.#members.set(child.name, applied)
    show(applied)
  }

  /** Removes what the object owns and no longer wants, after asking the server whether the object still is there. */
  async prune(): Promise<void> {
    for (const kind of this.#kinds()) {
      const unwanted = this.#controlled(kind).filter(
        (object) => !this.#wantedKeys.has(wantedKey(kind, object)) && !isRetained(object),
      )
      for (const object of unwanted) {
        if (!(await this.#options.isStillCurrent())) return
        await this.#options.writer.delete(kind, object)
      }
    }
  }

  /** Removes what would stay when the object goes. Returns whether all of it is gone that must be gone first. */
  async removeAll(): Promise<boolean> {
    let isGone = true
    for (const kind of this.#kinds()) {
      for (const object of this.#controlled(kind)) {
        if (isRetained(object)) continue
        const policy = object.metadata.annotations?.[deletionAnnotation]
        if (policy === 'foreground') isGone = false
        const isReferenced = (object.metadata.ownerReferences ?? []).length > 0
        if (!isReferenced || policy !== undefined) await this.#options.writer.delete(kind, object)
      }
    }
    return isGone
  }

  #wanted(child: ChildDeclaration, owner: ApiResource): Map<string, ChildManifest> {
    const { declaration } = this.#options
    const context = this.#contextOf(child)
    const isIncluded = child.includeWhen?.(owner, context) ?? true
    const desired = isIncluded ? child.desired(owner, context) : null
    const byKey = child.isSet ? Object.entries(desired ?? {}) : [['', desired] as const]
    const wanted = new Map<string, ChildManifest>()
    for (const [key, one] of byKey) {
      if (one === null || one === undefined) continue
      const name = childName(declaration, child, { owner, key: child.isSet ? key : undefined })
      const { kind, deletion } = child
      const mayBeElsewhere = isElsewhere(child, declaration.kind)
      const manifest = childManifest({
        ...{ owner, kind, name, deletion, mayBeElsewhere },
        wanted: one as object,
        child: `${declaration.options.name}/${child.name}`,
      })
      wanted.set(key, manifest)
      const place = wantedKey(kind, manifest.object)
      if (this.#wantedKeys.has(place)) throw wantedTwice(declaration, child, manifest)
      this.#wantedKeys.add(place)
    }
    return wanted
  }

  #contextOf({ name, once }: ChildDeclaration): ChildContext {
    const { host, declaration } = this.#options
    const randomBytes = (count: number): Uint8Array => {
      if (once === true) return host.randomBytes(count)
      throw new SetpointError(
        'OPERATOR_INVALID',
        `the child ${name} of ${declaration.options.name} is drawn by lot, and would be another one at every look`,
        { hint: 'declare it with `once: true`' },
      )
    }
    return { children: this.#live as never, randomBytes, ...ownerView(this.#options) }
  }

  #member(
    child: ChildDeclaration,
    { key, manifest, isHeldBack }: { key: string; manifest: ChildManifest; isHeldBack: boolean },
  ): Member {
    const { writer } = this.#options
    const live = writer.live(child.kind, keyOf(manifest.object.metadata))
    const isUpToDate =
      live !== undefined && (child.once === true || writer.isUpToDate(live, manifest))
    const isAvailable = live !== undefined && isServing(child, live)
    return { key, manifest, live, isUpToDate, isHeldBack, isAvailable }
  }

  async #applyMembers(child: ChildDeclaration, members: Member[]): Promise<Member[]> {
    const { writer, addFinalizer } = this.#options
    for (const [index, member] of members.entries()) {
      if (!mayUpdate(members, index, child.rollout?.maxUnavailable)) continue
      const { manifest, live: before } = member
      // Before the first thing that has to be cleaned up.
      if (!manifest.isCollected && child.deletion !== 'retain') await addFinalizer()
      const live = await writer.apply(child.kind, manifest, howOf(child))
      // One that has to be made anew comes back as it was, and is gone soon.
      const isUpToDate = live !== before || member.isUpToDate
      const isUpdated = before !== undefined && !member.isUpToDate
      if (live !== before || isUpdated) this.#hasWritten = true
      // What a member says of itself was said before it changed: a rollout looks again.
      const isLookedAtLater = child.rollout !== undefined && isUpdated
      if (isLookedAtLater) this.#isRolling = true
      const isAvailable = isUpToDate && !isLookedAtLater && isServing(child, live)
      members[index] = { ...member, live, isUpToDate, isAvailable }
    }
    return members
  }

  #isReady(name: string): boolean {
    return this.#members.get(name)?.every(isMemberReady) ?? false
  }

  #declared(name: string): ChildDeclaration | undefined {
    return this.#options.declaration.children.find((child) => child.name === name)
  }

  /** What was made as a child of the object: not what another operator or `.reconcile` made for it. */
  #controlled(kind: Kind): ApiResource[] {
    const { owned, owner, declaration } = this.#options
    const prefix = `${declaration.options.name}/`
    return owned(kind).filter(
      (object) =>
        isControlledBy(object, owner) &&
        object.metadata.annotations?.[childAnnotation]?.startsWith(prefix) === true,
    )
  }

  #kinds(): Iterable<Kind> {
    const { children } = this.#options.declaration
    return new Map(children.map(({ kind }) => [`${kind.apiVersion} ${kind.plural}`, kind])).values()
  }
}

/** What happens to a child that exists and is not as wanted. */
function howOf({ once, onImmutable }: ChildDeclaration): 'keep' | 'replace' | 'report' | undefined {
  return once === true ? 'keep' : onImmutable
}

function wantedTwice(
  { options }: OperatorDeclaration,
  { name, kind }: ChildDeclaration,
  { object }: ChildManifest,
): SetpointError {
  return new SetpointError(
    'OPERATOR_INVALID',
    `${options.name}/${name} and another child both want the ${kind.kind} ${keyOf(object.metadata)}`,
    { hint: 'give one of them another metadata.name' },
  )
}

function wantedKey(
  { apiVersion, plural }: Kind,
  { metadata }: { readonly metadata: { readonly name: string; readonly namespace?: string } },
): string {
  return `${apiVersion} ${plural} ${keyOf(metadata)}`
}

function isRetained({ metadata }: ApiResource): boolean {
  return metadata.annotations?.[deletionAnnotation] === 'retain'
}

/** Whether a child serves: what its controller said about an older state does not count. */
function isServing(child: ChildDeclaration, live: ApiResource): boolean {
  if (live.metadata.deletionTimestamp !== undefined || lagsBehind(live)) return false
  return (child.readyWhen ?? isReady)(live)
}
