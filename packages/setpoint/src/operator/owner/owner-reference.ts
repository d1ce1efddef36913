import { type Key, keyOf } from '../../cache/index.ts'
import { RetryLaterError } from '../../controller/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'

/**
 * Where an owner reference is impossible (another namespace, a cluster-scoped object, a retained
 * object), this label holds the owner's uid, and the annotation names the owner. The annotation
 * also names the object, so that a copy under another name is not a child.
 */
export const ownerUidLabel = 'setpoint.dev/owner-uid'
export const ownerAnnotation = 'setpoint.dev/owner'

/** The value of `ownerAnnotation`. */
export function ownerText(owner: ApiResource, child: { namespace?: string; name: string }): string {
  return `${ownerName(owner)} > ${keyOf(child)}`
}

/** The first part of `ownerAnnotation`: the owner. */
export function ownerName(owner: ApiResource): string {
  return `${kindText(owner)} ${keyOf(owner.metadata)}`
}

/** Whether a child can have an owner reference: its owner is in its namespace or cluster-scoped. */
export function canReference(owner: ApiResource, namespace: string | undefined): boolean {
  const ownerNamespace = owner.metadata.namespace
  return ownerNamespace === undefined || ownerNamespace === namespace
}

/** The owner reference of the controller. */
export function ownerReference({ apiVersion, kind, metadata }: ApiResource): object {
  const { name, uid } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** The owners of an object: their uids, or the annotation if the label was removed. */
export function ownersOf(object: unknown): string[] {
  const { ownerReferences = [], labels, annotations } = (object as ApiResource).metadata
  const uids = ownerReferences.map(({ uid }) => uid)
  const marked = labels?.[ownerUidLabel] ?? annotations?.[ownerAnnotation]?.split(' > ')[0]
  return marked === undefined ? uids : [...uids, marked]
}

/** The keys of the owners of an object that are of this kind. */
export function ownerKeys({ metadata }: ApiResource, resource: Kind): Key[] {
  const referenced = (metadata.ownerReferences ?? []).flatMap(({ apiVersion, kind, name }) => {
    if (kind !== resource.kind || groupOf(apiVersion) !== resource.group) return []
    const namespace = resource.scope === 'Cluster' ? undefined : metadata.namespace
    return [keyOf({ namespace, name })]
  })
  const [who, key] = metadata.annotations?.[ownerAnnotation]?.split(' ') ?? []
  return key === undefined || who !== `${resource.kind}.${resource.group}`
    ? referenced
    : [...referenced, key]
}

/**
 * Whether an owner controls an object by owner reference, label or annotation. One of them is
 * enough, because another may have been removed.
 */
export function isControlledBy(object: ApiResource, owner: ApiResource): boolean {
  const { ownerReferences = [], labels, annotations } = object.metadata
  const { uid } = owner.metadata
  if (ownerReferences.some((one) => one.uid === uid && one.controller === true)) return true
  const [label, text] = [labels?.[ownerUidLabel], annotations?.[ownerAnnotation]]
  if (label === undefined && text === undefined) return false
  const expected = ownerText(owner, object.metadata)
  return (label ?? uid) === uid && (text ?? expected) === expected
}

/** Adopts an object without a controller: the value is `Kind/name` of the owner. */
const adoptAnnotation = 'setpoint.dev/adopt'

/** The right of an owner to an existing object of the name that it desires. */
interface Claim {
  readonly owner: ApiResource
  /** The object has a mark of this child, for example after it lost its owner reference. */
  readonly isMarked: boolean
  /** The author adopts objects without a controller. */
  readonly adopts: boolean
}

/** Why an owner must not change an object. */
type Obstacle =
  /** Another object controls it. */
  | 'another'
  /** A deleted owner of the same name controls it. */
  | 'namesake'
  /** It has no controller, and neither the author nor the object allows that it is adopted. */
  | 'uncontrolled'

/**
 * Why an owner must not change an object, if so. An object that was retained from an owner of the
 * same name is adopted.
 */
function obstacleOf(live: ApiResource, { owner, isMarked, adopts }: Claim): Obstacle | undefined {
  if (isControlledBy(live, owner)) return undefined
  const { ownerReferences = [], labels, annotations } = live.metadata
  const controller = ownerReferences.find((reference) => reference.controller === true)
  if (controller === undefined) {
    if (annotations?.[ownerAnnotation] === ownerText(owner, live.metadata)) return undefined
    if (labels?.[ownerUidLabel] !== undefined) return 'another'
    const isAllowed = annotations?.[adoptAnnotation] === adoptText(owner)
    return isMarked || adopts || isAllowed ? undefined : 'uncontrolled'
  }
  const { apiVersion, kind, name } = controller
  const isNamesake = kind === owner.kind && name === owner.metadata.name
  return isNamesake && groupOf(apiVersion) === groupOf(owner.apiVersion) ? 'namesake' : 'another'
}

function adoptText({ kind, metadata }: ApiResource): string {
  return `${kind}/${metadata.name}`
}

/** Whether the owner controls an object, or can adopt it. */
export function mayBeOurs(live: ApiResource, claim: Claim): boolean {
  return obstacleOf(live, claim) === undefined
}

/**
 * Refuses an object that another one controls, or that the owner must not adopt. An object of a
 * deleted owner is retried, because the garbage collector deletes it soon.
 */
export function checkOurs(kind: Kind, live: ApiResource, claim: Claim): void {
  const obstacle = obstacleOf(live, claim)
  if (obstacle === undefined) return
  const { owner } = claim
  const what = `${kind.kind} ${keyOf(live.metadata)}`
  const { deletionTimestamp, finalizers = [], name } = live.metadata
  const held = deletionTimestamp === undefined ? '' : `, held by ${finalizers.join(', ')}`
  if (obstacle === 'namesake') {
    throw new RetryLaterError(
      `${what} of an earlier ${owner.kind} ${owner.metadata.name} must be deleted first${held}`,
    )
  }
  if (obstacle === 'another') {
    throw new SetpointError('CHILD_TAKEN', `${what} is controlled by another object`, {
      hint: 'give the child another name, or delete the object that is in its place',
    })
  }
  const annotate = `kubectl annotate ${kind.plural} ${name} ${adoptAnnotation}=${adoptText(owner)}`
  throw new SetpointError(
    'CHILD_TAKEN',
    `${what} exists, and ${owner.kind} ${keyOf(owner.metadata)} did not create it. To adopt it: ${annotate}`,
    { hint: 'annotate it, declare the child with `adopt: true`, or give it another name' },
  )
}

function kindText({ apiVersion, kind }: ApiResource): string {
  return `${kind}.${groupOf(apiVersion)}`
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}
