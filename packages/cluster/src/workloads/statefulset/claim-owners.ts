import type { Frozen } from 'setpoint'
import { Pod, StatefulSet, type PersistentVolumeClaim } from 'setpoint/kinds'
import { ordinalOf, ordinalRange, type StatefulSetObject } from './stateful-pod.ts'
import type { PodObject } from '../pods/pod-state.ts'

/** A claim as the cache has it. */
export type ClaimObject = Frozen<PersistentVolumeClaim>
type Reference = NonNullable<ClaimObject['metadata']['ownerReferences']>[number]

/** What is to be done about the owners of a claim, so that it goes when the set wants it to go. */
interface ClaimCare {
  /** The owners it should have, if others than it has. */
  readonly owners?: readonly Reference[]
  /** Whether somebody else controls it: then the set has no say. */
  readonly isContested: boolean
}

/**
 * A claim that goes with the set is owned by the set; one that goes when its pod is scaled away is owned by the pod,
 * from the moment that is decided. References to an earlier set or pod of the same name are left for the garbage
 * collector.
 */
export function careForClaim(
  claim: ClaimObject,
  set: StatefulSetObject,
  pod: PodObject,
): ClaimCare {
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
  const wanted = wantedOwner(set, pod)
  const isRight =
    (ofSet !== undefined) === (wanted === 'set') &&
    (ofPod !== undefined) === (wanted === 'pod') &&
    [ofSet, ofPod].every((each) => each === undefined || each.controller === true)
  if (isRight) return { isContested }
  const owner = wanted === 'set' ? [referenceTo(StatefulSet, set)] : [referenceTo(Pod, pod)]
  return { isContested, owners: wanted === undefined ? others : [...others, ...owner] }
}

/** Whether a claim is still that of an earlier pod of the name, and about to go with it. */
export function isLeftover({ metadata }: ClaimObject, podName: string): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ kind, apiVersion, name }) =>
      kind === 'Pod' && apiVersion === Pod.apiVersion && name === podName,
  )
}

/** Whether claims go when their pods are scaled away. */
export function dropsWhenScaled({ spec }: StatefulSetObject): boolean {
  return spec.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete'
}

function wantedOwner(set: StatefulSetObject, pod: PodObject): 'set' | 'pod' | undefined {
  const { first, end } = ordinalRange(set)
  const ordinal = ordinalOf(set, pod.metadata.name) ?? -1
  if (dropsWhenScaled(set) && (ordinal < first || ordinal >= end)) return 'pod'
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
