import { keyOf } from '../../cache/index.ts'
import { RetryLaterError, type Run } from '../../controller/index.ts'
import type { Random } from '../../host/host.ts'
import type {
  ChildDeclaration,
  LiveChild,
  OperatorDeclaration,
} from '../declare/operator-declaration.ts'
import { ReconcileErrors } from '../failures/reconcile-errors.ts'
import { childAnnotation, type ChildManifest, childName } from '../manifest/child-manifest.ts'
import { isControlledBy, mayBeOurs } from '../owner/owner-reference.ts'
import type { OwnerState } from '../owner/owner-state.ts'
import type { KindCaches } from '../owner/owner-view.ts'
import { isMarked, isUpToDate } from '../write/applied-annotation.ts'
import type { ObjectWriter } from '../write/object-writer.ts'
import { writeObject } from '../write/write-object.ts'
import { isUnobserved } from './child-readiness.ts'
import type { ChildState } from './child-state.ts'
import { desiredMembers, type Prepared, sameObjectError } from './desired-members.ts'
import { isReady, mayWrite, type Member, stateAfter, stateBefore } from './member.ts'
import { objectName, type OwnedChildren } from './owned-children.ts'
import { pruneChildren } from './prune-children.ts'

/** The dependencies of a `ChildReconciler`. */
interface ChildReconcilerOptions {
  readonly declaration: OperatorDeclaration
  readonly host: Random
  readonly caches: KindCaches
  readonly owner: OwnerState
  readonly writer: ObjectWriter
  readonly owned: OwnedChildren
  /** Adds the finalizer. Returns true if this reconcile added it: then the owner exists. */
  readonly addFinalizer: () => Promise<boolean>
  /** Asks the server whether the owner still has the generation that was observed. */
  readonly isStillCurrent: () => Promise<boolean>
  readonly run: Pick<Run, 'signal' | 'reasons'>
}

/** Creates, corrects and prunes the children of one owner in one reconcile. */
export class ChildReconciler {
  readonly #options: ChildReconcilerOptions
  readonly #states = new Map<string, ChildState>()
  readonly #live: Record<string, LiveChild> = {}
  /** The desired objects by kind and key. An owned object that is not among them is pruned. */
  readonly #desired = new Set<string>()
  #prepared: Prepared = new Map()
  #hasWritten = false
  #needsRecheck = false

  constructor(options: ChildReconcilerOptions) {
    this.#options = options
  }

  /** The children as they are, for the author's functions. */
  get live(): Readonly<Record<string, LiveChild>> {
    return this.#live
  }

  /** The state of each declared child, in the order of declaration. */
  get states(): ReadonlyMap<string, ChildState> {
    return this.#states
  }

  /** Whether a child failed. */
  get hasFailed(): boolean {
    return [...this.#states.values()].some(({ error }) => error !== undefined)
  }

  /** Whether this reconcile changed a child. */
  get hasWritten(): boolean {
    return this.#hasWritten
  }

  /** Whether the owner has to be reconciled again although no watch event will cause it. */
  get needsRecheck(): boolean {
    return this.#needsRecheck
  }

  /** Whether the owner needs its finalizer for a child that is desired. */
  get needsFinalizer(): boolean {
    return this.#options.declaration.children.some(
      (child) =>
        child.deletion !== 'retain' &&
        this.#states.get(child.name)?.members.some(({ manifest }) => !manifest.isCollected),
    )
  }

  /** Whether the controller of a child has not observed its latest change. */
  get areUnobserved(): boolean {
    return [...this.#states.values()].some(
      ({ error, members }) => error === undefined && members.some(({ live }) => isUnobserved(live)),
    )
  }

  /** Writes every child. If a child fails, only the children declared `after` it wait. */
  async apply(prepared: Prepared): Promise<void> {
    this.#prepared = prepared
    const errors = new ReconcileErrors(this.#options.run)
    for (const child of this.#options.declaration.children) {
      await errors.attempt(async () => this.#applyChild(child))
    }
    errors.end()
  }

  /** Leaves the children as they are: what is desired is not known. */
  keep(): void {
    for (const child of this.#options.declaration.children) this.#showExisting(child)
  }

  /** Deletes children that are no longer desired. */
  async prune(): Promise<void> {
    await pruneChildren({ ...this.#options, desired: this.#desired })
  }

  async #applyChild(child: ChildDeclaration): Promise<void> {
    let members: Member[] | undefined
    try {
      members = this.#membersOf(child)
      this.#show(child, members)
      await this.#writeMembers(child, members)
      this.#states.set(child.name, { members })
    } catch (error) {
      this.#states.set(child.name, { members: members ?? [], error })
      if (members === undefined) this.#showExisting(child)
      throw error
    } finally {
      if (members !== undefined) this.#show(child, members)
    }
  }

  #membersOf(child: ChildDeclaration): Member[] {
    const { declaration, owner } = this.#options
    const manifests = desiredMembers(child, {
      ...this.#options,
      owner: owner.valid,
      children: this.#live,
      prepared: this.#prepared,
    })
    for (const manifest of manifests.values()) {
      const name = objectName(child.kind, manifest.object)
      if (this.#desired.has(name)) throw sameObjectError(declaration, child, manifest)
      this.#desired.add(name)
    }
    const isWaiting = (child.after ?? []).some((name) => !this.#isReady(name))
    return [...manifests].map(([key, manifest]) =>
      this.#member(child, { key, manifest, isWaiting }),
    )
  }

  #member(
    child: ChildDeclaration,
    { key, manifest, isWaiting }: { key: string; manifest: ChildManifest; isWaiting: boolean },
  ): Member {
    const { writer, owner } = this.#options
    const found = writer.live(child.kind, keyOf(manifest.object.metadata))
    // An object that is not ours is not the child.
    const live =
      found !== undefined &&
      mayBeOurs(found, {
        owner: owner.observed,
        isMarked: isMarked(found, manifest),
        adopts: child.adopt === true,
      })
        ? found
        : undefined
    const state = stateBefore({
      live,
      isWaiting,
      isUpToDate: live !== undefined && (child.createOnly === true || isUpToDate(live, manifest)),
      isReady: live !== undefined && isReady(child, live),
    })
    return { key, manifest, live, state }
  }

  /** A member that fails does not stop the others, but it stops a rollout. */
  async #writeMembers(child: ChildDeclaration, members: Member[]): Promise<void> {
    const errors = new ReconcileErrors(this.#options.run)
    for (const [index, member] of members.entries()) {
      if (!mayWrite(members, member, child)) continue
      await errors.attempt(async () => {
        members[index] = await this.#writeMember(child, member)
      })
      if (child.rollout !== undefined && errors.all !== undefined) break
    }
    errors.end()
  }

  async #writeMember(child: ChildDeclaration, member: Member): Promise<Member> {
    const { writer, owner } = this.#options
    const { manifest } = member
    // The garbage collector may have deleted a child together with its owner, and the watches of
    // two kinds are not ordered: the owner may seem to exist.
    if (member.live === undefined && this.#mayBeCollected) await this.#checkOwner()
    if (!manifest.isCollected && child.deletion !== 'retain') await this.#ensureFinalizer(member)
    const applied = await writeObject(writer, child.kind, {
      owner: owner.observed,
      manifest,
      isCreateOnly: child.createOnly === true,
      adopts: child.adopt === true,
      onImmutable: child.onImmutable,
    })
    const state = stateAfter(member.state, applied, child)
    if (applied.effect !== 'none') this.#hasWritten = true
    const isRollingOut = child.rollout !== undefined && member.state === 'outdated'
    // It has no owner reference or label, so its deletion triggers no reconcile.
    const isDeletionUnwatched =
      state === 'terminating' && !isControlledBy(applied.object, owner.observed)
    if (isRollingOut || isDeletionUnwatched) this.#needsRecheck = true
    return { ...member, live: applied.object, state }
  }

  /** Whether a child may be missing because its owner is deleted. A retry may be due to that. */
  get #mayBeCollected(): boolean {
    return this.#options.run.reasons.some(
      (reason) => reason.cause !== 'change' || reason.change === 'removed',
    )
  }

  /** Adds the finalizer that keeps the owner until the new object is cleaned up. */
  async #ensureFinalizer({ live }: Member): Promise<void> {
    if ((await this.#options.addFinalizer()) || live !== undefined) return
    // A stale cache may show the finalizer of an owner whose cleanup has run. A child that is
    // created now would never be deleted.
    await this.#checkOwner()
  }

  async #checkOwner(): Promise<void> {
    if (await this.#options.isStillCurrent()) return
    throw new RetryLaterError('the cache is stale: the server has another state of the object')
  }

  #isReady(name: string): boolean {
    const state = this.#states.get(name)
    if (state === undefined || state.error !== undefined) return false
    return state.members.every((member) => member.state === 'ready')
  }

  #show({ name, isSet }: ChildDeclaration, members: readonly Member[]): void {
    this.#live[name] = isSet
      ? Object.fromEntries(members.map(({ key, live }) => [key, live]))
      : members[0]?.live
  }

  /** If the function of a child fails, later functions get the objects that exist. */
  #showExisting(child: ChildDeclaration): void {
    const { declaration, owner, owned } = this.#options
    const label = `${declaration.options.name}/${child.name}`
    const prefix = childName(declaration, child, { owner: owner.valid, key: '' })
    const existing = owned
      .ofKind(child.kind)
      .filter(({ metadata }) => metadata.annotations?.[childAnnotation] === label)
    this.#live[child.name] = child.isSet
      ? Object.fromEntries(
          existing.map((one) => [one.metadata.name.split(prefix)[1] ?? one.metadata.name, one]),
        )
      : existing[0]
  }
}
