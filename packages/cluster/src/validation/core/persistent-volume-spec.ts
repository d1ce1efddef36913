/** The spec of a volume: of PersistentVolumes, and of VolumeAttachments with an inline one. */
import type { PersistentVolumeSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import { checkNodeSelector } from './check-node-selector.ts'
import { checkAccessModes, volumeModes } from './persistent-volume-claim-spec.ts'
import { checkNoBacksteps } from '../fields/path-rules.ts'
import { signOf } from '../fields/compare-quantities.ts'
import { checkRequiredFields } from '../fields/required-fields.ts'
import { checkBasicAmount } from '../fields/resource-names.ts'
import {
  checkAzureDisk,
  checkCsiDriverName,
  checkDiskPartition,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkHostPath,
  checkIscsi,
  checkNfs,
  checkQuobyte,
  checkStorageOs,
} from '../volume/volume-sources.ts'

/** A volume's spec after decoding. */
export type VolumeSpec = Decoded<PersistentVolumeSpec>

type SourceField = Exclude<
  keyof VolumeSpec,
  | 'accessModes'
  | 'capacity'
  | 'claimRef'
  | 'mountOptions'
  | 'nodeAffinity'
  | 'persistentVolumeReclaimPolicy'
  | 'storageClassName'
  | 'volumeAttributesClassName'
  | 'volumeMode'
>
type SourceCheck = (spec: VolumeSpec, at: FieldPath, name: string) => void

function part<K extends SourceField>(
  field: K,
  check: (value: NonNullable<VolumeSpec[K]>, at: FieldPath, name: string) => void,
  path: string = field,
): readonly [field: K, path: string, check: SourceCheck] {
  return [
    field,
    field === 'cephfs' ? 'cephFS' : field,
    (spec, at, name) => {
      const value = spec[field]
      if (value !== undefined) check(value, at.child(path), name)
    },
  ]
}

const inline = 'in the context of inline volumes'

/** The sources in the order in which a real server checks them. */
const sources: readonly (readonly [field: SourceField, path: string, check: SourceCheck])[] = [
  part('hostPath', checkHostPath),
  part('gcePersistentDisk', checkDiskPartition('pdName'), 'persistentDisk'),
  part('awsElasticBlockStore', checkDiskPartition('volumeID')),
  part('glusterfs', (source, at) => {
    const { endpointsNamespace: namespace } = source
    checkRequiredFields('endpoints', 'path')(source, at)
    if (namespace === undefined) return
    const place = at.child('endpointsNamespace')
    const detail = 'if the endpointnamespace is set, it must be a valid namespace name'
    if (namespace === '') place.invalid(namespace, detail)
    else place.invalidEach(namespace, labelProblems(namespace))
  }),
  part('flocker', checkFlocker),
  part('nfs', checkNfs),
  part('rbd', checkRequiredFields('monitors', 'image')),
  part('quobyte', checkQuobyte),
  part('cephfs', checkRequiredFields('monitors')),
  part('iscsi', (source, at, name) => checkIscsi(source, at, { name })),
  part('cinder', (source, at) => {
    checkRequiredFields('volumeID')(source, at)
    const { secretRef } = source
    if (secretRef === undefined) return
    checkRequiredFields('name', 'namespace')(secretRef, at.child('secretRef'))
  }),
  part('fc', checkFibreChannel),
  part('flexVolume', checkFlexVolume),
  part('azureFile', (source, at) => {
    checkRequiredFields('secretName', 'shareName')(source, at)
    if (source.secretNamespace === '') at.child('secretNamespace').required()
  }),
  part('vsphereVolume', checkRequiredFields('volumePath')),
  part('photonPersistentDisk', checkRequiredFields('pdID')),
  part('portworxVolume', checkRequiredFields('volumeID')),
  part('azureDisk', checkAzureDisk),
  part('scaleIO', checkRequiredFields('gateway', 'system', 'volumeName')),
  part('local', ({ path = '' }, at) => {
    if (path === '') at.child('path').required()
    else checkNoBacksteps(path, at.child('path'))
  }),
  part('storageos', (source, at) => checkStorageOs(source, at, true)),
  part('csi', checkCsi),
]

function checkCsi(csi: NonNullable<VolumeSpec['csi']>, at: FieldPath): void {
  checkCsiDriverName(csi.driver ?? '', at.child('driver'))
  if ((csi.volumeHandle ?? '') === '') at.child('volumeHandle').required()
  for (const field of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const) {
    const reference = csi[field]
    if (reference === undefined) continue
    const { name = '', namespace = '' } = reference
    const place = at.child(field)
    if (name === '') place.child('name').required()
    else place.child('name').invalidEach(name, subdomainProblems(name))
    if (namespace === '') place.child('namespace').required()
    else place.child('namespace').invalidEach(namespace, labelProblems(namespace))
  }
}

/** The context of a spec. */
interface VolumeSpecContext {
  readonly name: string
  /** In a VolumeAttachment. */
  readonly isInline?: boolean
  readonly allowInvalidNodeAffinityValues?: boolean
}

/** Checks a volume's specification. */
export function checkVolumeSpec(spec: VolumeSpec, at: FieldPath, context: VolumeSpecContext): void {
  const { accessModes = [] } = spec
  const { isInline = false } = context
  if (isInline) {
    if (spec.claimRef !== undefined) {
      at.child('claimRef').forbidden(`may not be specified ${inline}`)
    }
    if (Object.keys(spec.capacity ?? {}).length > 0) {
      at.child('capacity').forbidden(`may not be specified ${inline}`)
    }
    if (spec.csi === undefined) at.child('csi').required(`has to be specified ${inline}`)
  }
  if (accessModes.length === 0) at.child('accessModes').required()
  checkAccessModes(accessModes, at.child('accessModes'))
  if (!isInline) checkCapacity(spec, at.child('capacity'))
  checkReclaimPolicy(spec, at.child('persistentVolumeReclaimPolicy'), isInline)
  checkNodeAffinity(spec, at.child('nodeAffinity'), context)
  checkSources(spec, at, context)
  checkClassAndMode(spec, at, isInline)
}

function checkCapacity({ capacity: sent }: VolumeSpec, at: FieldPath): void {
  const capacity = sent ?? {}
  const names = Object.keys(capacity)
  if (names.length === 0) at.required()
  if (names.length !== 1 || names[0] !== 'storage') {
    at.notSupported(sent, ['storage'])
  }
  for (const [name, amount = '0'] of Object.entries(capacity)) {
    checkBasicAmount(amount, at.key(name))
    if (signOf(amount) <= 0) at.key(name).invalid(amount, 'must be greater than zero')
  }
}

const reclaimPolicies = ['Delete', 'Recycle', 'Retain']

function checkReclaimPolicy(spec: VolumeSpec, at: FieldPath, isInline: boolean): void {
  const policy = spec.persistentVolumeReclaimPolicy ?? ''
  if (policy === '') return
  if (isInline) {
    if (policy !== 'Retain') at.forbidden(`may only be Retain ${inline}`)
  } else if (!reclaimPolicies.includes(policy)) at.notSupported(policy, reclaimPolicies)
}

function checkNodeAffinity(
  { nodeAffinity }: VolumeSpec,
  at: FieldPath,
  { isInline = false, allowInvalidNodeAffinityValues = false }: VolumeSpecContext,
): void {
  if (nodeAffinity === undefined) return
  if (isInline) at.forbidden(`may not be specified ${inline}`)
  else if (nodeAffinity.required === undefined) {
    at.child('required').required('must specify required node constraints')
  } else {
    const { required } = nodeAffinity
    checkNodeSelector(required, at.child('required'), allowInvalidNodeAffinityValues)
  }
}

function checkSources(spec: VolumeSpec, at: FieldPath, context: VolumeSpecContext): void {
  let count = 0
  for (const [field, path, check] of sources) {
    if (spec[field] === undefined) continue
    count++
    // A real server does not count here, so that a flexVolume is always checked.
    if (count === 1 || field === 'flexVolume') check(spec, at, context.name)
    else at.child(path).forbidden('may not specify more than 1 volume type')
    const needsAffinity = field === 'local' && count === 1 && spec.nodeAffinity === undefined
    if (needsAffinity) at.child('nodeAffinity').required('Local volume requires node affinity')
  }
  if (count === 0) at.required('must specify a volume type')
  const root = spec.hostPath?.path
  const isRoot = root !== undefined && /^(\/\.?)+$/.test(root)
  if (isRoot && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const detail = "may not be 'recycle' for a hostPath mount of '/'"
    at.child('persistentVolumeReclaimPolicy').forbidden(detail)
  }
}

function checkClassAndMode(spec: VolumeSpec, at: FieldPath, isInline: boolean): void {
  const { storageClassName = '', volumeMode, volumeAttributesClassName: attributes } = spec
  const classAt = at.child('storageClassName')
  if (storageClassName !== '') {
    if (isInline) classAt.forbidden(`may not be specified ${inline}`)
    else classAt.invalidEach(storageClassName, subdomainProblems(storageClassName))
  }
  if (volumeMode !== undefined) {
    const detail = `may not specify volumeMode other than Filesystem ${inline}`
    if (isInline) {
      if (volumeMode !== 'Filesystem') at.child('volumeMode').forbidden(detail)
    } else if (!volumeModes.includes(volumeMode)) {
      at.child('volumeMode').notSupported(volumeMode, volumeModes)
    }
  }
  // Inline volumes are checked without this field.
  if (attributes === undefined || isInline) return
  const place = at.child('volumeAttributesClassName')
  if (attributes === '') place.required('an empty string is disallowed')
  else place.invalidEach(attributes, subdomainProblems(attributes))
  if (spec.csi === undefined) {
    at.child('csi').required('has to be specified when using volumeAttributesClassName')
  }
}
