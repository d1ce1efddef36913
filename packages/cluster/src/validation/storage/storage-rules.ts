/** The kinds of storage.k8s.io. */
import { repetition } from '../fields/repetition.ts'
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import {
  checkLabelSelector,
  checkQualifiedName,
  type TextMap,
} from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  byteLength,
  labelValueProblems,
  rangeProblem,
  subdomainProblems,
} from '../fields/name-rules.ts'
import { checkNonnegative } from '../fields/number-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import { checkVolumeSpec } from '../core/persistent-volume-spec.ts'
import { signOf } from '../fields/compare-quantities.ts'
import { sameValue } from '../fields/same-value.ts'
import { checkCsiDriverName } from '../volume/volume-sources.ts'

function checkProvisioner(name: string, at: FieldPath): void {
  if (name === '') at.required()
  // A real server prints the name in lower case, as it was checked.
  else checkQualifiedName(name.toLowerCase(), at)
}

function checkParameters(parameters: TextMap, at: FieldPath, allowEmpty: boolean): void {
  const entries = Object.entries(parameters)
  if (entries.length > 512) return at.tooLong(512)
  let bytes = 0
  for (const [key, value = ''] of entries) {
    if (key === '') at.invalid(key, 'field can not be empty.')
    bytes += byteLength(key) + byteLength(value)
  }
  if (bytes > 256 * 1024) at.tooLong(256 * 1024)
  if (!allowEmpty && entries.length === 0) at.required('must contain at least one key/value pair')
}

const reclaimPolicies = ['Delete', 'Retain']
const bindingModes = ['Immediate', 'WaitForFirstConsumer']

function checkTopologies({ object, at }: Created<StorageClass>): void {
  const topologies = object.allowedTopologies ?? []
  // A real server also compares with as many empty terms as there are terms.
  const terms = topologies.map(() => '[]')
  for (const [index, { matchLabelExpressions = [] }] of topologies.entries()) {
    const place = at.child('allowedTopologies').index(index).child('matchLabelExpressions')
    const expressions = new Map<string, string>()
    for (const [number, { key = '', values = [] }] of matchLabelExpressions.entries()) {
      const expressionAt = place.index(number)
      if (values.length === 0) expressionAt.child('values').required()
      const isRepeated = repetition()
      for (const [valueIndex, value] of values.entries()) {
        if (!isRepeated(value)) continue
        expressionAt.child('values').index(valueIndex).duplicate(value)
      }
      checkQualifiedName(key, expressionAt.child('key'))
      if (expressions.has(key)) expressionAt.child('key').duplicate(key)
      expressions.set(key, JSON.stringify([...new Set(values)].sort()))
    }
    const identity = JSON.stringify([...expressions].sort())
    for (const term of terms) if (term === identity) place.duplicate('')
    terms.push(identity)
  }
}

function checkStorageClass(created: Created<StorageClass>): void {
  const { object, at } = created
  const { provisioner = '', parameters = {}, reclaimPolicy = '', volumeBindingMode } = object
  created.checkMetadata()
  checkProvisioner(provisioner, at.child('provisioner'))
  checkParameters(parameters, at.child('parameters'), true)
  if (reclaimPolicy !== '' && !reclaimPolicies.includes(reclaimPolicy)) {
    at.child('reclaimPolicy').notSupported(reclaimPolicy, reclaimPolicies)
  }
  if (volumeBindingMode === undefined) at.child('volumeBindingMode').required()
  else if (!bindingModes.includes(volumeBindingMode)) {
    at.child('volumeBindingMode').notSupported(volumeBindingMode, bindingModes)
  }
  checkTopologies(created)
}

/** The rules of StorageClasses. */
export const storageClassRules = checkedKind<StorageClass>({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  resource: 'storageclasses',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: checkStorageClass,
  update(updated) {
    const { object, old, at } = updated
    checkStorageClass(updated)
    updated.checkMetadataUpdate()
    for (const field of [
      'parameters',
      'provisioner',
      'reclaimPolicy',
      'volumeBindingMode',
    ] as const) {
      checkImmutable(object[field], old[field], at.child(field))
    }
  },
})

function checkAttributes({ object, at, checkMetadata }: Created<VolumeAttributesClass>): void {
  checkMetadata()
  checkProvisioner(object.driverName ?? '', at.child('driverName'))
  checkParameters(object.parameters ?? {}, at.child('parameters'), false)
}

/** The rules of VolumeAttributesClasses. */
export const volumeAttributesClassRules = checkedKind<VolumeAttributesClass>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  resource: 'volumeattributesclasses',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: checkAttributes,
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    for (const field of ['driverName', 'parameters'] as const) {
      if (sameValue(object[field], old[field])) continue
      at.child(field).forbidden(`updates to ${field} are forbidden.`)
    }
    checkAttributes(updated)
  },
})

function checkVolumeError(
  error: { readonly message?: string; readonly errorCode?: number } | undefined,
  at: FieldPath,
): void {
  if (byteLength(error?.message ?? '') > 1024) at.child('message').tooLong(1024)
  const code = error?.errorCode
  if (code !== undefined && code < 0) {
    at.child('errorCode').invalid(code, rangeProblem(0, 2147483647))
  }
}

function checkAttachment({ object, at, checkMetadata }: Created<VolumeAttachment>): void {
  const { attacher = '', nodeName = '', source = {} } = object.spec ?? {}
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source
  const place = at.child('spec')
  const sourceAt = place.child('source')
  checkMetadata()
  checkCsiDriverName(attacher, place.child('attacher'))
  const words = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (name === undefined && inline === undefined) sourceAt.required(words)
  else if (name !== undefined && inline !== undefined) sourceAt.forbidden(words)
  else if (name === '') {
    const detail = 'must specify non empty persistentVolumeName'
    sourceAt.child('persistentVolumeName').required(detail)
  } else if (inline !== undefined) {
    checkVolumeSpec(inline, sourceAt.child('inlineVolumeSpec'), { name: '', isInline: true })
  }
  place.child('nodeName').invalidEach(nodeName, subdomainProblems(nodeName))
  const { status = {} } = object
  const bytes = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value = '']) => sum + byteLength(key) + byteLength(value),
    0,
  )
  if (bytes > 256 * 1024) at.child('status', 'attachmentMetadata').tooLong(256 * 1024)
  checkVolumeError(status.attachError, at.child('status', 'attachError'))
  checkVolumeError(status.detachError, at.child('status', 'detachError'))
  if (name !== undefined) {
    at.child('spec.source.persistentVolumeName').invalidEach(name, subdomainProblems(name))
  }
}

/** The rules of VolumeAttachments. */
export const volumeAttachmentRules = checkedKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  resource: 'volumeattachments',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: checkAttachment,
  update(updated) {
    const { object, old, at } = updated
    checkAttachment(updated)
    if (sameValue(object.spec, old.spec)) return
    const printed = printStruct(object.spec, 'VolumeAttachmentSpec')
    at.child('spec').invalidPrinted(printed, 'field is immutable')
  },
  subresources: {
    status(updated) {
      checkAttachment(updated)
    },
  },
})

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType']

function checkDriverSpec({ object, at }: Created<CSIDriver>): void {
  const { spec = {} } = object
  const place = at.child('spec')
  const { fsGroupPolicy, volumeLifecycleModes = [], tokenRequests = [] } = spec
  if (spec.attachRequired === undefined) place.child('attachedRequired').required()
  if (spec.podInfoOnMount === undefined) place.child('podInfoOnMount').required()
  if (spec.storageCapacity === undefined) place.child('storageCapacity').required()
  if (fsGroupPolicy !== undefined && !groupPolicies.includes(fsGroupPolicy)) {
    place.child('fsGroupPolicy').notSupported(fsGroupPolicy, groupPolicies)
  }
  checkTokenRequests(tokenRequests, place.child('tokenRequests'))
  for (const mode of volumeLifecycleModes) {
    if (mode === 'Persistent' || mode === 'Ephemeral') continue
    place.child('volumeLifecycleModes').notSupported(mode, ['Persistent', 'Ephemeral'])
  }
  if (spec.seLinuxMount === undefined) place.child('seLinuxMount').required()
  const period = spec.nodeAllocatableUpdatePeriodSeconds
  if (period !== undefined && period < 10) {
    const periodAt = place.child('nodeAllocatableUpdatePeriodSeconds')
    periodAt.invalid(period, 'must be greater than or equal to 10 seconds')
  }
  const { serviceAccountTokenInSecrets: inSecrets } = spec
  if (inSecrets !== undefined && tokenRequests.length === 0) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
    place.child('serviceAccountTokenInSecrets').invalid(inSecrets, detail)
  }
}

function checkTokenRequests(
  requests: readonly { readonly audience?: string; readonly expirationSeconds?: number }[],
  at: FieldPath,
): void {
  const audiences = new Set<string>()
  for (const [index, { audience = '', expirationSeconds: seconds }] of requests.entries()) {
    if (audiences.has(audience)) {
      at.index(index).child('audience').duplicate(audience)
      continue
    }
    audiences.add(audience)
    if (seconds === undefined) continue
    const place = at.index(index).child('expirationSeconds')
    if (seconds < 600) place.invalid(seconds, 'may not specify a duration less than 10 minutes')
    if (seconds > 2 ** 32) {
      place.invalid(seconds, 'may not specify a duration larger than 2^32 seconds')
    }
  }
}

/** The rules of CSIDrivers. */
export const csiDriverRules = checkedKind<CSIDriver>({
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  resource: 'csidrivers',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create(created) {
    created.checkMetadata()
    checkDriverSpec(created)
  },
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    checkDriverSpec(updated)
    const [spec, before] = [object.spec ?? {}, old.spec ?? {}]
    const place = at.child('spec')
    checkImmutable(spec.attachRequired, before.attachRequired, place.child('attachedRequired'))
    const modesAt = place.child('volumeLifecycleModes')
    checkImmutable(spec.volumeLifecycleModes, before.volumeLifecycleModes, modesAt)
  },
})

type NodeDriver = NonNullable<NonNullable<Created<CSINode>['object']['spec']>['drivers']>[number]

function checkCsiNode({ object, at, checkMetadata }: Created<CSINode>): void {
  checkMetadata()
  const names = new Set<string>()
  for (const [index, driver] of (object.spec?.drivers ?? []).entries()) {
    const { name = '', nodeID = '', allocatable } = driver
    const place = at.child('spec', 'drivers').index(index)
    checkCsiDriverName(name, place.child('name'))
    if (nodeID === '') place.child('nodeID').required()
    if (byteLength(nodeID) > 256) {
      place.child('nodeID').invalid(nodeID, 'must be 256 characters or less')
    }
    checkNonnegative(allocatable?.count, place.child('allocatable', 'count'))
    if (names.has(name)) place.child('name').duplicate(name)
    names.add(name)
    const keys = new Set<string>()
    for (const key of driver.topologyKeys ?? []) {
      if (key === '') place.required()
      if (keys.has(key)) place.duplicate(key)
      keys.add(key)
      checkQualifiedName(key, place)
    }
  }
}

/** The rules of CSINodes. */
export const csiNodeRules = checkedKind<CSINode>({
  group: 'storage.k8s.io',
  kind: 'CSINode',
  resource: 'csinodes',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create: checkCsiNode,
  update(updated) {
    const { object, old, at } = updated
    checkCsiNode(updated)
    const fixed = ({ allocatable: _allocatable, ...rest }: NodeDriver) => rest
    for (const before of old.spec?.drivers ?? []) {
      for (const driver of object.spec?.drivers ?? []) {
        if (driver.name !== before.name || sameValue(fixed(driver), fixed(before))) continue
        const printed = printStruct(fixed(driver), 'CSINodeDriver')
        at.child('spec', 'drivers').invalidPrinted(printed, 'field is immutable')
      }
    }
  },
})

function checkStorageCapacity(
  { object, at, checkMetadata }: Created<CSIStorageCapacity>,
  allowInvalidValues: boolean,
): void {
  const { nodeTopology, storageClassName = '', capacity } = object
  checkMetadata()
  checkLabelSelector(nodeTopology, at.child('nodeTopology'), { allowInvalidValues })
  at.child('storageClassName').invalidEach(storageClassName, subdomainProblems(storageClassName))
  if (capacity !== undefined && signOf(capacity) < 0) {
    at.child('capacity').invalid(capacity, 'must be greater than or equal to 0')
  }
}

type Topology = Created<CSIStorageCapacity>['object']['nodeTopology']

/** A stored selector may keep values that are not valid label values. */
function hasLabelValues(topology: Topology): boolean {
  return (topology?.matchExpressions ?? []).every(({ values = [] }) =>
    values.every((value) => labelValueProblems(value).length === 0),
  )
}

/** The rules of CSIStorageCapacities. */
export const csiStorageCapacityRules = checkedKind<CSIStorageCapacity>({
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  resource: 'csistoragecapacities',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create: (created) => checkStorageCapacity(created, false),
  update(updated) {
    const { object, old, at } = updated
    checkStorageCapacity(updated, !hasLabelValues(old.nodeTopology))
    updated.checkMetadataUpdate()
    if (!sameValue(object.nodeTopology, old.nodeTopology)) {
      const printed = printStruct(object.nodeTopology, 'LabelSelector')
      at.child('nodeTopology').invalidPrinted(printed, 'field is immutable')
    }
    const [name, before] = [object.storageClassName ?? '', old.storageClassName ?? '']
    checkImmutable(name, before, at.child('storageClassName'))
  },
})
