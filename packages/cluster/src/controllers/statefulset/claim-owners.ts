import type { Frozen } from 'setpoint'
import { Pod, StatefulSet, type PersistentVolumeClaim } from 'setpoint/kinds'
import { ordinalOf, ordinalRange, type StatefulSetObject } from './stateful-pod.ts'
import type { PodObject } from '../pods/pod-state.ts'

export type ClaimObject = Frozen<PersistentVolumeClaim>
type Reference = NonNullable<ClaimObject['metadata']['ownerReferences']>[number]

/** The change to the owner references of a claim that its retention policy requires. */
interface ClaimOwners {
  /** The desired owner references; `undefined` if nothing has to change. */
  readonly owners?: readonly Reference[]
  /** Whether another object controls the claim: then the retention policy is ignored. */
  readonly isContested: boolean
}

/**
 * A claim that is deleted with the set is owned by the set. A claim that is deleted when its pod is
 * scaled down is owned by the pod, from the scale-down on. References to an earlier set or pod of
 * the same name are left to the garbage collector.
 */
export function planClaimOwners(
  claim: ClaimObject,
  set: StatefulSetObject,
  pod: PodObject,
): ClaimOwners {
  const references = claim.metadata.ownerReferences ?? []
  const isSet = (reference: Reference): boolean => names(reference, StatefulSet, set)
  const isPod = (reference: Reference): boolean => names(reference, Pod, pod)
  const [ofSet, ofPod] = [references.find(isSet), references.find(isPod)]
  const isContested = isControlledElsewhere(references, set, pod)
  if (isOutdated(ofSet, set) || isOutdated(ofPod, pod)) return { isContested }
  const others = references.filter((each) => !isSet(each) && !isPod(each))
  if (isContested) {
    return ofSet === undefined && ofPod === undefined
      ? { isContested }
      : { isContested, owners: others }
  }
  const desired = desiredOwner(set, pod)
  const hasDesiredOwners =
    (ofSet !== undefined) === (desired === 'set') &&
    (ofPod !== undefined) === (desired === 'pod') &&
    [ofSet, ofPod].every((each) => each === undefined || each.controller === true)
  if (hasDesiredOwners) return { isContested }
  const owner = desired === 'set' ? [referenceTo(StatefulSet, set)] : [referenceTo(Pod, pod)]
  return { isContested, owners: desired === undefined ? others : [...others, ...owner] }
}

/** Whether a claim still belongs to an earlier pod of this name and will be deleted with it. */
export function isStaleClaim({ metadata }: ClaimObject, podName: string): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ kind, apiVersion, name }) =>
      kind === 'Pod' && apiVersion === Pod.apiVersion && name === podName,
  )
}

/** Whether claims are deleted when their pods are scaled down. */
export function deletesClaimsWhenScaled({ spec }: StatefulSetObject): boolean {
  return spec.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete'
}

function desiredOwner(set: StatefulSetObject, pod: PodObject): 'set' | 'pod' | undefined {
  const { first, end } = ordinalRange(set)
  const ordinal = ordinalOf(set, pod.metadata.name) ?? -1
  if (deletesClaimsWhenScaled(set) && (ordinal < first || ordinal >= end)) return 'pod'
  const { whenDeleted } = set.spec.persistentVolumeClaimRetentionPolicy ?? {}
  return whenDeleted === 'Delete' ? 'set' : undefined
}

function isControlledElsewhere(
  references: readonly Reference[],
  set: StatefulSetObject,
  pod: PodObject,
): boolean {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {}
  if (whenDeleted !== 'Delete' && whenScaled !== 'Delete') return false
  return references.some((reference) => {
    if (names(reference, StatefulSet, set)) return isOutdated(reference, set)
    if (names(reference, Pod, pod)) return isOutdated(reference, pod)
    return reference.controller === true
  })
}

interface Owner {
  readonly metadata: { readonly name: string; readonly uid: string }
}

function names(
  reference: Reference,
  kind: { readonly apiVersion: string; readonly kind: string },
  { metadata }: Owner,
): boolean {
  const { apiVersion, kind: kindName, name } = reference
  return apiVersion === kind.apiVersion && kindName === kind.kind && name === metadata.name
}

function isOutdated(reference: Reference | undefined, { metadata }: Owner): boolean {
  return reference !== undefined && reference.uid !== metadata.uid
}

function referenceTo(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  { metadata: { name, uid } }: Owner,
): Reference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}
