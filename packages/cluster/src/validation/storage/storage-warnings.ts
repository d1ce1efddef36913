import type {
  CSIDriver,
  CSIStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import type { TextMap } from '../fields/check-label-selector.ts'
import {
  nodeSelectorWarnings,
  nodeTermWarnings,
  oldLabelWarnings,
} from '../core/node-label-warnings.ts'
import type { ClaimSpec } from '../core/persistent-volume-claim-spec.ts'
import { milliValue } from '../fields/compare-quantities.ts'
import { sameValue } from '../fields/same-value.ts'
import type { WarningInput } from '../warning-input.ts'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'
const oldAnnotations = [
  [classAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  [
    'volume.beta.kubernetes.io/mount-options',
    'deprecated since v1.31; use "mountOptions" attribute instead',
  ],
] as const

const removedSources = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

/** Warns about fractions of bytes. */
export function fractionWarnings(amount: string | undefined, at: FieldPath): string[] {
  if (amount === undefined || milliValue(amount) % 1000n === 0n) return []
  return [`${at.path}: fractional byte value "${amount}" is invalid, must be an integer`]
}

/** Warns about the resources of a claim. */
export function claimSpecWarnings({ resources }: ClaimSpec, at: FieldPath): string[] {
  return (['requests', 'limits'] as const).flatMap((field) =>
    fractionWarnings(resources?.[field]?.['storage'], at.child('resources', field).key('storage')),
  )
}

function annotationWarnings(
  annotations: TextMap | undefined,
  old: readonly (readonly [string, string])[],
): string[] {
  return old
    .filter(([key]) => Object.hasOwn(annotations ?? {}, key))
    .map(([key, message]) => `metadata.annotations[${key}]: ${message}`)
}

/** Warnings of claims. */
export function claimWarnings(write: WarningInput<Decoded<PersistentVolumeClaim>>): string[] {
  const { metadata, spec = {} } = write.object
  return [
    ...annotationWarnings(metadata?.annotations, oldAnnotations.slice(0, 1)),
    ...claimSpecWarnings(spec, write.at.child('spec')),
  ]
}

/** Warnings of volumes: deprecated annotations, labels and drivers. */
export function persistentVolumeWarnings(write: WarningInput<Decoded<PersistentVolume>>): string[] {
  const { metadata, spec = {} } = write.object
  const at = write.at.child('spec')
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? []
  const termsAt = at.child('nodeAffinity', 'required', 'nodeSelectorTerms')
  const recycle =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'
  return [
    ...annotationWarnings(metadata?.annotations, oldAnnotations),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${recycle}`]
      : []),
    ...terms.flatMap((term, index) => nodeTermWarnings(term, termsAt.index(index), false)),
    ...removedSources
      .filter(([field]) => spec[field] !== undefined)
      .map(([field, message, shown = field]) => `spec.${shown}: ${message}`),
  ]
}

/** Warnings of storage classes: deprecated node labels. */
export function storageClassWarnings({
  object,
  at,
}: WarningInput<Decoded<StorageClass>>): string[] {
  return (object.allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }, index) => {
    const place = at.child('allowedTopologies').index(index).child('matchLabelExpressions')
    return matchLabelExpressions.flatMap(({ key = '' }, number) =>
      oldLabelWarnings(key, place.index(number).child('key')),
    )
  })
}

/** Warnings of capacities: deprecated node labels. */
export function storageCapacityWarnings({
  object,
  at,
}: WarningInput<Decoded<CSIStorageCapacity>>): string[] {
  return nodeSelectorWarnings(object.nodeTopology ?? {}, at.child('nodeTopology'))
}

/** Warnings of drivers that get tokens where they may be logged. */
export function driverWarnings({ object, old }: WarningInput<Decoded<CSIDriver>>): string[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets } = object.spec ?? {}
  const isSame = old !== undefined && sameValue(old.spec?.tokenRequests ?? [], tokenRequests)
  if (isSame || tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return []
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ]
}
