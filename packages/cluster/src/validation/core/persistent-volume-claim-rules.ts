import type { PersistentVolumeClaim } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Updated } from '../kind-rules.ts'
import { checkLabelSelector } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { qualifiedNameProblems } from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import {
  checkClaimSpec,
  type ClaimOptions,
  type ClaimSpec,
} from './persistent-volume-claim-spec.ts'
import { structDiff } from '../pod/pod-update.ts'
import { compareQuantities } from '../fields/compare-quantities.ts'
import { checkAmount, checkBasicAmount, isNativeResource } from '../fields/resource-names.ts'
import { sameValue } from '../fields/same-value.ts'

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

function optionsFor(
  { spec = {} }: Updated<PersistentVolumeClaim>['old'],
  at: FieldPath,
): ClaimOptions {
  return {
    allowInvalidApiGroups:
      spec.dataSource?.apiGroup !== undefined || spec.dataSourceRef?.apiGroup !== undefined,
    allowInvalidSelectorValues: at.silent().collects((place) => {
      checkLabelSelector(spec.selector, place)
    }),
  }
}

function withoutField<K extends keyof ClaimSpec>(spec: ClaimSpec, field: K): ClaimSpec {
  const { [field]: _removed, ...rest } = spec
  return rest
}

/** Only the size and the attributes class of a bound claim may change. */
function checkUpdate({ object, old, at }: Updated<PersistentVolumeClaim>): void {
  const { spec = {} } = object
  const { spec: oldSpec = {} } = old
  const place = at.child('spec')
  checkClassAnnotation({ object, old, at })
  const kept = keptSpec(object, old)
  const before = (oldSpec.volumeName ?? '') === '' ? withVolumeName(oldSpec, kept) : oldSpec
  if (!sameValue(kept, before)) {
    const words =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    place.forbidden(`${words}\n${structDiff(before, kept, 'PersistentVolumeClaimSpec')}`)
  }
  const size = spec.resources?.requests?.['storage']
  const isSmaller = compareQuantities(size, oldSpec.resources?.requests?.['storage']) < 0
  if (isSmaller && compareQuantities(size, old.status?.capacity?.['storage']) <= 0) {
    const sizeAt = place.child('resources', 'requests', 'storage')
    sizeAt.forbidden('field can not be less than status.capacity')
  }
  checkImmutable(spec.volumeMode, oldSpec.volumeMode, at.child('volumeMode'))
  checkAttributesClass({ object, old, at })
}

function withVolumeName(spec: ClaimSpec, { volumeName }: ClaimSpec): ClaimSpec {
  return volumeName === undefined ? withoutField(spec, 'volumeName') : { ...spec, volumeName }
}

type ClaimChange = Pick<Updated<PersistentVolumeClaim>, 'object' | 'old' | 'at'>

/** The class may move from the annotation to the field, and a missing one may be set. */
function isClassMoved({ object, old }: Omit<ClaimChange, 'at'>): boolean {
  const before = old.metadata?.annotations?.[classAnnotation]
  const after = object.metadata?.annotations?.[classAnnotation]
  const name = object.spec?.storageClassName
  return (
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    name === before &&
    (after === undefined || after === before)
  )
}

function checkClassAnnotation({ object, old, at }: ClaimChange): void {
  if (isClassMoved({ object, old })) return
  const before = old.metadata?.annotations?.[classAnnotation] ?? ''
  const after = object.metadata?.annotations?.[classAnnotation] ?? ''
  checkImmutable(after, before, at.child('metadata', 'annotations', classAnnotation))
}

/** The new spec with the old values of the mutable fields. */
function keptSpec(object: ClaimChange['object'], old: ClaimChange['old']): ClaimSpec {
  let kept: ClaimSpec = object.spec ?? {}
  const oldSpec: ClaimSpec = old.spec ?? {}
  const annotation = old.metadata?.annotations?.[classAnnotation]
  const isFilledIn =
    oldSpec.storageClassName === undefined &&
    kept.storageClassName !== undefined &&
    (annotation === undefined || annotation === kept.storageClassName)
  if (isClassMoved({ object, old }) || isFilledIn) kept = withoutField(kept, 'storageClassName')
  if (object.status?.phase !== 'Bound') return kept
  const requests = kept.resources?.requests
  const size = oldSpec.resources?.requests?.['storage']
  if (requests !== undefined && size !== undefined) {
    kept = { ...kept, resources: { ...kept.resources, requests: { ...requests, storage: size } } }
  }
  kept = withoutField(kept, 'volumeAttributesClassName')
  const attributes = oldSpec.volumeAttributesClassName
  return attributes === undefined ? kept : { ...kept, volumeAttributesClassName: attributes }
}

function checkAttributesClass({ object, old, at }: ClaimChange): void {
  const name = object.spec?.volumeAttributesClassName
  if (name === old.spec?.volumeAttributesClassName) return
  if (old.status?.currentVolumeAttributesClassName === undefined) return
  const place = at.child('spec', 'volumeAttributesClassName')
  const when = 'is forbidden when status.currentVolumeAttributesClassName is not nil'
  if (name === undefined) place.forbidden(`update to nil ${when}`)
  else if (name === '') place.forbidden(`update to empty string ${when}`)
}

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
].sort()

function checkResourceKey(name: string, at: FieldPath): boolean {
  return at.collects(() => {
    const problems = qualifiedNameProblems(name)
    at.invalidEach(name, problems)
    if (problems.length === 0 && isNativeResource(name) && name !== 'storage') {
      at.notSupported(name, ['storage'])
    }
  })
}

function checkStatus({ object, at }: Updated<PersistentVolumeClaim>): void {
  const { status = {}, metadata, spec } = object
  if ((metadata?.resourceVersion ?? '') === '') at.child('resourceVersion').required()
  if ((spec?.accessModes ?? []).length === 0) at.child('Spec', 'accessModes').required()
  for (const [name, amount = '0'] of Object.entries(status.capacity ?? {})) {
    checkBasicAmount(amount, at.child('status', 'capacity').key(name))
  }
  const statusesAt = at.child('status', 'allocatedResourceStatuses')
  for (const [name, value = ''] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    checkResourceKey(name, statusesAt)
    if (!resizeStatuses.includes(value)) statusesAt.notSupported(name, resizeStatuses)
  }
  const amountsAt = at.child('status', 'allocatedResources')
  for (const [name, amount = '0'] of Object.entries(status.allocatedResources ?? {})) {
    if (checkResourceKey(name, amountsAt)) continue
    if (!checkBasicAmount(amount, amountsAt.key(name))) {
      checkAmount('storage', amount, amountsAt.key(name))
    }
  }
}

/** The rules of PersistentVolumeClaims. */
export const persistentVolumeClaimRules = checkedKind<PersistentVolumeClaim>({
  group: '',
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkClaimSpec(object.spec ?? {}, at.child('spec'))
  },
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    updated.checkMetadata()
    checkClaimSpec(object.spec ?? {}, at.child('spec'), optionsFor(old, at))
    checkUpdate(updated)
  },
  subresources: {
    status(updated) {
      updated.checkMetadataUpdate()
      checkStatus(updated)
    },
  },
})
