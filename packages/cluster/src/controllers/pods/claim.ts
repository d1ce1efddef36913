import type { Frozen, InferResource, Kind, ReconcileContext } from 'setpoint'
import { selects, type AnyLabelSelector } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { ignoreApiError } from '../ignore-api-error.ts'

interface Owner {
  readonly apiVersion?: string | undefined
  readonly kind?: string | undefined
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly deletionTimestamp?: string
  }
}

interface Claimed {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly labels?: Readonly<Record<string, string>>
    readonly deletionTimestamp?: string
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[]
  }
}

/** Input of `claim`: the owner, its kind, and the selector of the objects. */
interface Claim<K extends Kind> {
  readonly owner: Owner
  readonly ownerKind: Kind
  readonly kind: K
  readonly selector: AnyLabelSelector | undefined
  /** Excludes objects that the owner ignores although their labels match. */
  readonly isCandidate?: (object: Frozen<InferResource<K>>) => boolean
  /** A finalizer that is added when an object is adopted, and removed when it is released. */
  readonly finalizer?: string
}

/**
 * Returns the objects that an owner controls and selects. Adopts selected objects without a
 * controller, and releases controlled objects that the selector no longer matches. A terminating
 * owner adopts and releases nothing.
 */
export async function claim<K extends Kind>(
  ctx: Pick<ReconcileContext<K, K>, 'list' | 'owned' | 'patch' | 'client'>,
  { owner, ownerKind, kind, selector, isCandidate = () => true, finalizer }: Claim<K>,
): Promise<Frozen<InferResource<K>>[]> {
  const { namespace, uid } = owner.metadata
  const owned = ctx.owned(kind).filter((object) => controllerOf(object)?.uid === uid)
  const orphans = ctx
    .list(kind, { namespace, labels: selector ?? {} })
    .filter((object) => controllerOf(object) === undefined && !isTerminating(object as Claimed))
  const claimed: Frozen<InferResource<K>>[] = []
  for (const object of owned.filter(isCandidate)) {
    if (selects(selector, labelsOf(object))) claimed.push(object)
    else if (!isTerminating(owner)) await release(ctx, kind, { object, uid, finalizer })
  }
  const adoptable = selector === undefined || isTerminating(owner) ? [] : orphans
  let mayAdopt: boolean | undefined
  for (const object of adoptable.filter(isCandidate)) {
    // Reads the owner from the server: the cached owner may have been deleted and created again.
    mayAdopt ??= await isOwnerLive(ctx, ownerKind, owner)
    if (!mayAdopt) break
    const adopter = { ...owner, ...ownerKind }
    const adopted = await adopt(ctx, kind, { object, owner: adopter, finalizer })
    if (adopted !== undefined) claimed.push(adopted)
  }
  return claimed
}

/** The owner reference of the object's controller. */
export function controllerOf(object: unknown): { readonly uid: string } | undefined {
  const { ownerReferences = [] } = (object as Claimed).metadata
  return ownerReferences.find(({ controller }) => controller === true)
}

function labelsOf(object: unknown): Readonly<Record<string, string>> {
  return (object as Claimed).metadata.labels ?? {}
}

async function isOwnerLive(
  ctx: Pick<ReconcileContext, 'client'>,
  kind: Kind,
  { metadata }: Owner,
): Promise<boolean> {
  const live = (await ctx.client.find(kind, metadata)) as Owner | undefined
  return live?.metadata.uid === metadata.uid && !isTerminating(live)
}

async function adopt<K extends Kind>(
  ctx: Pick<ReconcileContext<K, K>, 'patch'>,
  kind: K,
  adoption: { object: Frozen<InferResource<K>>; owner: Owner; finalizer: string | undefined },
): Promise<Frozen<InferResource<K>> | undefined> {
  const { object, owner, finalizer } = adoption
  const { apiVersion, kind: ownerKind, metadata } = owner
  const reference = {
    apiVersion,
    kind: ownerKind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  const { metadata: target } = object as Claimed
  // With the uid the patch fails for another object of the same name.
  const finalizers = finalizer === undefined ? {} : { finalizers: [finalizer] }
  const strategic = { metadata: { uid: target.uid, ownerReferences: [reference], ...finalizers } }
  return ignoreApiError(ctx.patch(kind, { metadata: target }, { strategic }), 'API_NOT_FOUND')
}

async function release<K extends Kind>(
  ctx: Pick<ReconcileContext<K, K>, 'patch'>,
  kind: K,
  { object, uid, finalizer }: { object: unknown; uid: string; finalizer: string | undefined },
): Promise<void> {
  const { metadata } = object as Claimed
  const ownerReferences = [{ $patch: 'delete', uid }]
  const finalizers =
    finalizer === undefined ? {} : { '$deleteFromPrimitiveList/finalizers': [finalizer] }
  const strategic = { metadata: { uid: metadata.uid, ownerReferences, ...finalizers } }
  await ignoreApiError(ctx.patch(kind, { metadata }, { strategic }), 'API_NOT_FOUND')
}
