import type { Frozen } from 'setpoint'
import {
  selects,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from 'setpoint/kinds'
import { parseQuantity } from '../../codec/index.ts'
import { isTerminating } from '../../object/index.ts'
import type { PodObject } from '../pods/pod-state.ts'

export type ClaimObject = Frozen<PersistentVolumeClaim>
export type VolumeObject = Frozen<PersistentVolume>
type ClassObject = Frozen<StorageClass>

export const boundByAnnotation = 'pv.kubernetes.io/bound-by-controller'
export const completedAnnotation = 'pv.kubernetes.io/bind-completed'
const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node'
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** The storage class of a claim or volume; empty for none. */
export function classOf({ metadata, spec }: ClaimObject | VolumeObject): string {
  return metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? ''
}

/** Whether a volume's claimRef is this claim: by name, and by uid if the claimRef has one. */
export function isFor({ spec: { claimRef } }: VolumeObject, { metadata }: ClaimObject): boolean {
  if (claimRef === undefined) return false
  if (claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false
  return claimRef.uid === undefined || claimRef.uid === '' || claimRef.uid === metadata.uid
}

/** Whether a claim is bound only after its first consumer is scheduled. */
export function waitsForConsumer(claim: ClaimObject, storage: ClassObject | undefined): boolean {
  if (storage?.volumeBindingMode !== 'WaitForFirstConsumer') return false
  return claim.metadata.annotations?.[selectedNodeAnnotation] === undefined
}

/**
 * The best volume for a claim: one whose claimRef names it, or else the smallest volume that is
 * large enough and has the requested properties. A claim that waits for its first consumer only
 * gets a volume whose claimRef names it.
 */
export function bestVolume(
  claim: ClaimObject,
  volumes: readonly VolumeObject[],
  { isWaiting }: { readonly isWaiting: boolean },
): VolumeObject | undefined {
  const fitting = volumes.filter((volume) => fits(claim, volume))
  const own = fitting.find((volume) => isFor(volume, claim))
  if (own !== undefined || isWaiting) return own
  return fitting
    .filter(({ spec, status }) => spec.claimRef === undefined && status?.phase === 'Available')
    .filter(
      ({ metadata }) =>
        claim.spec.selector === undefined || selects(claim.spec.selector, metadata.labels),
    )
    .filter((volume) => classOf(volume) === classOf(claim))
    .filter(({ spec }) => hasModes(spec.accessModes, claim.spec.accessModes))
    .sort((left, right) => bySize(left, right))[0]
}

/** Whether a volume has the size and the mode that a claim requests. */
function fits({ spec: requested }: ClaimObject, volume: VolumeObject): boolean {
  const { spec } = volume
  const size = parseQuantity(spec.capacity?.['storage'] ?? '0')
  const request = parseQuantity(requested.resources?.requests?.['storage'] ?? '0')
  return (
    !isTerminating(volume) &&
    size.cmp(request) >= 0 &&
    (spec.volumeMode ?? 'Filesystem') === (requested.volumeMode ?? 'Filesystem') &&
    (spec.volumeAttributesClassName ?? '') === (requested.volumeAttributesClassName ?? '')
  )
}

function hasModes(modes: readonly string[] = [], requested: readonly string[] = []): boolean {
  return requested.every((mode) => modes.includes(mode))
}

function bySize(left: VolumeObject, right: VolumeObject): number {
  const size = ({ spec }: VolumeObject) => parseQuantity(spec.capacity?.['storage'] ?? '0')
  return size(left).cmp(size(right))
}

/** The names of the claims that a pod uses, including those of its ephemeral volumes. */
export function claimsOf({ metadata, spec }: PodObject): string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName]
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`]
  })
}

/** The status of a bound claim. */
export function boundStatus(
  { status }: ClaimObject,
  { spec }: VolumeObject,
): ClaimObject['status'] {
  const storage = status?.phase === 'Bound' ? status.capacity?.['storage'] : undefined
  return {
    ...status,
    phase: 'Bound',
    ...(spec.accessModes === undefined ? {} : { accessModes: spec.accessModes }),
    capacity: { ...spec.capacity, ...(storage === undefined ? {} : { storage }) },
  }
}
