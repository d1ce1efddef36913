import { keyOf, type KindCache } from '../../cache/index.ts'
import { RetryLaterError, type Run } from '../../controller/index.ts'
import { headline, isSetpointError, SetpointError } from '../../errors/index.ts'
import type { Random } from '../../host/host.ts'
import type { Kind } from '../../kinds/kind.ts'
import { isPlainObject } from '../../schema/json-value.ts'
import {
  childAnnotation,
  type ChildManifest,
  childManifest,
  childName,
  deletionAnnotation,
} from '../manifest/child-manifest.ts'
import { isCrossNamespace } from '../declare/is-cross-namespace.ts'
import type { ChildContext } from '../declare/contexts.ts'
import { isReady, lagsBehind } from './is-ready.ts'
import type {
  ApiResource,
  ChildDeclaration,
  LiveChild,
  OperatorDeclaration,
} from '../declare/operator-declaration.ts'
import type { OwnedWriter } from '../write/owned-writer.ts'
import { isControlledBy, mayBeOurs } from '../manifest/ownership.ts'
import { plainManifest } from '../manifest/plain-manifest.ts'
import { ownerView } from '../reconcile/reconcile-context.ts'
import { isMemberReady, mayUpdate, type Member } from './rollout.ts'
import { RunErrors } from '../reconcile/run-errors.ts'

/** What making children needs. */
interface ChildrenRunOptions {
  readonly declaration: OperatorDeclaration
  readonly host: Random
  readonly cacheOf: (kind: Kind) => KindCache
  /** The object as the cache has it. */
  readonly owner: ApiResource
  readonly writer: OwnedWriter
  /** Keeps the object until it was cleaned up. Returns whether this run saw to it: then the object is there. */
  readonly addFinalizer: () => Promise<boolean>
  /** What the object owns, of a kind. */
  readonly owned: (kind: Kind) => ApiResource[]
  /** What a server has that is marked as the object's: the cache may be behind. */
  readonly marked: (kind: Kind) => Promise<ApiResource[]>
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
  /** Why children are not as they should be, by their names: they have no members. */
  readonly #errors = new Map<string, unknown>()
  /** What is wanted, by kind and key: what is owned but not in here is removed. */
  readonly #wantedKeys = new Set<string>()
  #hasWritten = false
  #needsAnotherLook = false

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

  /** Whether some child could not be made as it should be. */
  get hasFailed(): boolean {
    return this.#errors.size > 0
  }

  /** Whether something is to be done soon of which no event tells: the next members of a rollout, one that is gone and not marked as ours. */
  get needsAnotherLook(): boolean {
    return this.#needsAnotherLook
  }

  /** Whether the controller of some child has not seen its latest change. */
  get areUnobserved(): boolean {
    return [...this.#members.values()].flat().some(({ live }) => lagsBehind(live))
  }

  /** The children that are wanted and not ready, for people. */
  get waitingFor(): string[] {
    return this.#options.declaration.children.flatMap(({ name, isSet }) => {
      const error = this.#errors.get(name)
      if (error !== undefined) {
        const isLater = isSetpointError(error, 'RETRY_LATER')
        return [isLater ? `${name} (${headline(error)})` : name]
      }
      const members = this.#members.get(name) ?? []
      const ready = members.filter(isMemberReady).length
      if (ready === members.length) return []
      if (isSet) return [`${name} (${ready} of ${members.length} ready)`]
      const isGoing = members[0]?.live?.metadata.deletionTimestamp !== undefined
      return [isGoing ? `${name} (being deleted)` : name]
    })
  }

  /** Makes every child as `owner`, the object with its defaults, wants it. */
  async apply(owner: ApiResource): Promise<void> {
    const errors = new RunErrors(this.#options.run)
    for (const child of this.#options.declaration.children) {
      // One that fails holds back those that come after it, and no others.
      await errors.attempt(async () => {
        try {
          await this.#applyChild(child, owner)
        } catch (error) {
          this.#errors.set(child.name, error)
          if (!(child.name in this.#live)) this.#showMade(child, owner)
          throw error
        }
      })
    }
    errors.end()
  }

  async #applyChild(child: ChildDeclaration, owner: ApiResource): Promise<void> {
    const wanted = this.#wanted(child, owner)
    const isHeldBack = (child.after ?? []).some((name) => !this.#isReady(name))
    const members: Member[] = []
    for (const [key, manifest] of wanted) {
      members.push(this.#member(child, { key, manifest, isHeldBack }))
    }
    const show = (): void => this.#show(child, new Map(members.map(({ key, live }) => [key, live])))
    show()
    const errors = new RunErrors(this.#options.run)
    await this.#applyMembers(child, members, errors)
    show()
    errors.end()
    this.#members.set(child.name, members)
  }

  #show(
    { name, isSet }: ChildDeclaration,
    byKey: ReadonlyMap<string, ApiResource | undefined>,
  ): void {
    this.#live[name] = isSet ? Object.fromEntries(byKey) : [...byKey.values()][0]
  }

  /** Of a child whose function failed nobody knows what is wanted: what was made of it before is shown. */
  #showMade(child: ChildDeclaration, owner: ApiResource): void {
    const { declaration } = this.#options
    const own = `${declaration.options.name}/${child.name}`
    const made = this.#controlled(child.kind).filter(
      ({ metadata }) => metadata.annotations?.[childAnnotation] === own,
    )
    const prefix = childName(declaration, child, { owner, key: '' })
    const keyIn = ({ metadata: { name } }: ApiResource): string => name.split(prefix)[1] ?? name
    this.#show(child, new Map(made.map((object) => [keyIn(object), object])))
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
    for (const [kind, object] of await this.#removable()) {
      const policy = object.metadata.annotations?.[deletionAnnotation]
      if (policy === 'foreground') isGone = false
      if (hasNoReference(object) || policy !== undefined) {
        await this.#options.writer.delete(kind, object)
      }
    }
    return isGone
  }

  /** Removes what does not go with the object by itself. */
  async removeElsewhere(): Promise<void> {
    for (const [kind, object] of await this.#removable()) {
      if (hasNoReference(object)) await this.#options.writer.delete(kind, object)
    }
  }

  /** What was made as children of the object and is not meant to outlive it. */
  async #removable(): Promise<[Kind, ApiResource][]> {
    const removable: [Kind, ApiResource][] = []
    for (const kind of this.#kinds()) {
      const cached = this.#controlled(kind)
      const uids = new Set(cached.map(({ metadata }) => metadata.uid))
      // What lives elsewhere and is forgotten now nobody finds again.
      const marked = this.#mayBeCrossNamespace(kind) ? await this.#options.marked(kind) : []
      const unseen = marked.filter((one) => !uids.has(one.metadata.uid) && this.#isChild(one))
      for (const object of [...cached, ...unseen]) {
        if (!isRetained(object)) removable.push([kind, object])
      }
    }
    return removable
  }

  #mayBeCrossNamespace(kind: Kind): boolean {
    const { declaration } = this.#options
    return declaration.children.some(
      (child) =>
        kindName(child.kind) === kindName(kind) && isCrossNamespace(child, declaration.kind),
    )
  }

  #wanted(child: ChildDeclaration, owner: ApiResource): Map<string, ChildManifest> {
    const { declaration } = this.#options
    const context = this.#contextOf(child)
    const isIncluded = child.includeWhen?.(owner, context) ?? true
    const desired = isIncluded ? child.desired(owner, context) : null
    const mark = `${declaration.options.name}/${child.name}`
    const byKey = child.isSet ? Object.entries(setOf(desired, mark)) : [['', desired] as const]
    const wanted = new Map<string, ChildManifest>()
    for (const [key, one] of byKey) {
      // A function that forgot to return must not have its child deleted for it.
      if (one === null || (child.isSet && one === undefined)) continue
      const name = childName(declaration, child, { owner, key: child.isSet ? key : undefined })
      const { kind, deletion } = child
      const mayBeCrossNamespace = isCrossNamespace(child, declaration.kind)
      const manifest = childManifest({
        ...{ owner, kind, name, deletion, mayBeCrossNamespace },
        wanted: one as object,
        child: mark,
      })
      wanted.set(key, manifest)
      const place = wantedKey(kind, manifest.object)
      if (this.#wantedKeys.has(place)) throw wantedTwice(declaration, child, manifest)
      this.#wantedKeys.add(place)
    }
    return wanted
  }

  #contextOf({ name, createOnly }: ChildDeclaration): ChildContext {
    const { host, declaration } = this.#options
    const randomBytes = (count: number): Uint8Array => {
      if (createOnly === true) return host.randomBytes(count)
      throw new SetpointError(
        'OPERATOR_INVALID',
        `the child ${name} of ${declaration.options.name} is drawn by lot, and would be another one at every look`,
        { hint: 'declare it with `createOnly: true`' },
      )
    }
    return { children: this.#live as never, randomBytes, ...ownerView(this.#options) }
  }

  #member(
    child: ChildDeclaration,
    { key, manifest, isHeldBack }: { key: string; manifest: ChildManifest; isHeldBack: boolean },
  ): Member {
    const { writer, owner } = this.#options
    const found = writer.live(child.kind, keyOf(manifest.object.metadata))
    // What is in its place and somebody else's is not the child.
    const live = found !== undefined && mayBeOurs(found, owner) ? found : undefined
    const isUpToDate =
      live !== undefined && (child.createOnly === true || writer.isUpToDate(live, manifest))
    const isAvailable = live !== undefined && isServing(child, live)
    return { key, manifest, live, isUpToDate, isHeldBack, isAvailable }
  }

  /** Members that fail do not keep the others from being made; a rollout stops at them. */
  async #applyMembers(
    child: ChildDeclaration,
    members: Member[],
    errors: RunErrors,
  ): Promise<void> {
    for (const index of members.keys()) {
      if (!mayUpdate(members, index, child.rollout?.maxUnavailable)) continue
      await errors.attempt(async () => this.#applyMember(child, members, index))
      if (child.rollout !== undefined && errors.all !== undefined) return
    }
  }

  async #applyMember(child: ChildDeclaration, members: Member[], index: number): Promise<void> {
    const { writer, owner } = this.#options
    const member = members[index]
    if (member === undefined) return
    const { manifest, live: before } = member
    if (!manifest.isCollected && child.deletion !== 'retain') await this.#hold(before)
    const live = await writer.apply(child.kind, manifest, howOf(child))
    // One that has to be made anew comes back as it was, and is gone soon.
    const isUpToDate = live !== before || member.isUpToDate
    const isUpdated = before !== undefined && !member.isUpToDate
    if (live !== before || isUpdated) this.#hasWritten = true
    // What a member says of itself was said before it changed: a rollout looks again.
    const isLookedAtLater = child.rollout !== undefined && isUpdated
    const isLeaving = !isUpToDate || live.metadata.deletionTimestamp !== undefined
    // What lost its tie to its owner goes without our hearing of it.
    const goesUnheard = isLeaving && !isControlledBy(live, owner)
    if (isLookedAtLater || goesUnheard) this.#needsAnotherLook = true
    const isAvailable = isUpToDate && !isLookedAtLater && isServing(child, live)
    members[index] = { ...member, live, isUpToDate, isAvailable }
  }

  /** Before the first thing that has to be cleaned up is made. */
  async #hold(live: ApiResource | undefined): Promise<void> {
    const { addFinalizer, isStillCurrent } = this.#options
    if ((await addFinalizer()) || live !== undefined) return
    // In a cache that is behind an object may still be held that was cleaned up meanwhile: nobody would do it again.
    if (await isStillCurrent()) return
    throw new RetryLaterError('the server has another state of the object than was seen here')
  }

  #isReady(name: string): boolean {
    return this.#members.get(name)?.every(isMemberReady) ?? false
  }

  /** What was made as a child of the object: not what another operator or `.reconcile` made for it. */
  #controlled(kind: Kind): ApiResource[] {
    return this.#options.owned(kind).filter((object) => this.#isChild(object))
  }

  #isChild(object: ApiResource): boolean {
    const { owner, declaration } = this.#options
    const prefix = `${declaration.options.name}/`
    const mark = object.metadata.annotations?.[childAnnotation]
    return isControlledBy(object, owner) && mark?.startsWith(prefix) === true
  }

  #kinds(): Iterable<Kind> {
    const { children } = this.#options.declaration
    return new Map(children.map(({ kind }) => [kindName(kind), kind])).values()
  }
}

function kindName({ apiVersion, plural }: Kind): string {
  return `${apiVersion} ${plural}`
}

/** What happens to a child that exists and is not as wanted. */
function howOf({
  createOnly,
  onImmutable,
}: ChildDeclaration): 'keep' | 'replace' | 'report' | undefined {
  return createOnly === true ? 'keep' : onImmutable
}

/** What is wanted of a set. A list, or a Map, would be taken for one with other keys, or with none. */
function setOf(desired: object | null, what: string): object {
  return desired === null || isPlainObject(desired) ? (desired ?? {}) : plainManifest(desired, what)
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
  kind: Kind,
  { metadata }: { readonly metadata: { readonly name: string; readonly namespace?: string } },
): string {
  return `${kindName(kind)} ${keyOf(metadata)}`
}

/** Whether nothing but its marks says whose an object is. */
function hasNoReference({ metadata }: ApiResource): boolean {
  return (metadata.ownerReferences ?? []).length === 0
}

function isRetained({ metadata }: ApiResource): boolean {
  return metadata.annotations?.[deletionAnnotation] === 'retain'
}

/** Whether a child serves: what its controller said about an older state does not count. */
function isServing(child: ChildDeclaration, live: ApiResource): boolean {
  if (live.metadata.deletionTimestamp !== undefined || lagsBehind(live)) return false
  return (child.readyWhen ?? isReady)(live)
}
