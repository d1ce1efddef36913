import { type Key, keyOf } from '../../cache/index.ts'
import { RetryLaterError } from '../../controller/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'

/**
 * Where owner references cannot be used (another namespace, a cluster-scoped object, one that outlives its owner),
 * this label has the owner's uid and the annotation says who that was. The annotation names the object itself too: a
 * copy of it under another name is not ours.
 */
export const ownerUidLabel = 'setpoint.dev/owner-uid'
export const ownerAnnotation = 'setpoint.dev/owner'

/** Who an object belongs to, as `ownerAnnotation` says it. */
export function ownerText(owner: ApiResource, child: { namespace?: string; name: string }): string {
  return `${ownerMark(owner)} > ${keyOf(child)}`
}

/** An owner in the words that `ownerAnnotation` begins with. */
export function ownerMark(owner: ApiResource): string {
  return `${kindText(owner)} ${keyOf(owner.metadata)}`
}

/** Whether owner references can lead from a child to its owner: within a namespace, or to a cluster-scoped owner. */
export function canReference(owner: ApiResource, namespace: string | undefined): boolean {
  const ownerNamespace = owner.metadata.namespace
  return ownerNamespace === undefined || ownerNamespace === namespace
}

/** A reference that makes the owner the one that controls an object. */
export function ownerReference({ apiVersion, kind, metadata }: ApiResource): object {
  const { name, uid } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** Those an object belongs to, by their uids and, where somebody removed the label, by what the annotation says. */
export function ownerMarks(object: unknown): string[] {
  const { ownerReferences = [], labels, annotations } = (object as ApiResource).metadata
  const uids = ownerReferences.map(({ uid }) => uid)
  const marked = labels?.[ownerUidLabel] ?? annotations?.[ownerAnnotation]?.split(' > ')[0]
  return marked === undefined ? uids : [...uids, marked]
}

/** The keys of the objects of a resource that an object belongs to. */
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

/** Whether an owner controls an object, by reference or by its marks: one of them is enough, if somebody removed the other. */
export function isControlledBy(object: ApiResource, owner: ApiResource): boolean {
  const { ownerReferences = [], labels, annotations } = object.metadata
  const { uid } = owner.metadata
  if (ownerReferences.some((one) => one.uid === uid && one.controller === true)) return true
  const [label, text] = [labels?.[ownerUidLabel], annotations?.[ownerAnnotation]]
  if (label === undefined && text === undefined) return false
  const expected = ownerText(owner, object.metadata)
  return (label ?? uid) === uid && (text ?? expected) === expected
}

/**
 * Whose an object is that is not the owner's to change: that of another one, or of one of the same name that is gone.
 * What nobody controls, or was meant to outlive an owner of the same name, is there to be taken over.
 */
function takenBy(live: ApiResource, owner: ApiResource): 'another' | 'namesake' | undefined {
  if (isControlledBy(live, owner)) return undefined
  const { ownerReferences = [], labels, annotations } = live.metadata
  const controller = ownerReferences.find((reference) => reference.controller === true)
  if (controller === undefined) {
    const isLeft = annotations?.[ownerAnnotation] === ownerText(owner, live.metadata)
    return labels?.[ownerUidLabel] === undefined || isLeft ? undefined : 'another'
  }
  const { apiVersion, kind, name } = controller
  const isNamesake = kind === owner.kind && name === owner.metadata.name
  return isNamesake && groupOf(apiVersion) === groupOf(owner.apiVersion) ? 'namesake' : 'another'
}

/** Whether an object is the owner's, or can be. */
export function mayBeOurs(live: ApiResource, owner: ApiResource): boolean {
  return takenBy(live, owner) === undefined
}

/** Refuses an object that another one controls; what belongs to an owner that is gone will be collected soon. */
export function checkOurs(kind: Kind, live: ApiResource, owner: ApiResource): void {
  const taken = takenBy(live, owner)
  if (taken === undefined) return
  const what = `${kind.kind} ${keyOf(live.metadata)}`
  const { deletionTimestamp, finalizers = [] } = live.metadata
  const held = deletionTimestamp === undefined ? '' : `, held by ${finalizers.join(', ')}`
  if (taken === 'namesake') {
    throw new RetryLaterError(
      `${what} of an earlier ${owner.kind} ${owner.metadata.name} must be deleted first${held}`,
    )
  }
  throw new SetpointError('CHILD_TAKEN', `${what} is controlled by another object`, {
    hint: 'give the child another name, or delete the object that is in its place',
  })
}

function kindText({ apiVersion, kind }: ApiResource): string {
  return `${kind}.${groupOf(apiVersion)}`
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}
