import type { Volumes } from '../container/container-mounts.ts'
import { checkRequiredFields } from '../fields/required-fields.ts'
import type { FieldPath } from '../go/field-path.ts'
import { labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import type { Metadata } from '../object-meta.ts'
import { checkFileMode } from '../fields/path-rules.ts'
import type { Spec } from '../pod/pod-options.ts'
import { checkClaimTemplate } from '../core/persistent-volume-claim-spec.ts'
import { checkDownwardApiItems, checkKeyPaths, checkProjectedVolume } from './projected-volume.ts'
import { checkPullPolicy } from '../container/container-rules.ts'
import { signOf } from '../fields/compare-quantities.ts'
import {
  checkAzureDisk,
  checkCsiDriverName,
  checkDiskPartition,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkGitRepo,
  checkHostPath,
  checkIscsi,
  checkNfs,
  checkQuobyte,
  checkStorageOs,
} from './volume-sources.ts'

type Volume = NonNullable<Spec['volumes']>[number]

/** A volume for the rules of its source. */
interface Source {
  readonly volume: Volume
  /** The volume itself, not its source: some field names in paths differ from those of JSON. */
  readonly at: FieldPath
  readonly podName: string
  /** Otherwise a template, which a mutating webhook may complete for its pods. */
  readonly isPod: boolean
}

type SourceCheck = (source: Source) => void

/** Checks a source whose rules are in another file, if it is set. */
function part<K extends keyof Volume>(
  field: K,
  check: (value: NonNullable<Volume[K]>, at: FieldPath) => void,
  path: string = field,
): readonly [field: K, path: string, check: SourceCheck] {
  return [
    field,
    field === 'cephfs' ? 'cephFS' : field === 'downwardAPI' ? 'downwarAPI' : field,
    ({ volume, at }) => {
      const value = volume[field]
      if (value !== undefined) check(value, at.child(path))
    },
  ]
}

/** The sources in the order in which a real server checks them; only the first one is checked. */
const sources: readonly (readonly [field: keyof Volume, path: string, check: SourceCheck])[] = [
  part('emptyDir', ({ sizeLimit }, at) => {
    if (sizeLimit !== undefined && signOf(sizeLimit) < 0) {
      at.child('sizeLimit').forbidden('SizeLimit field must be a valid resource quantity')
    }
  }),
  part('hostPath', checkHostPath),
  part('gitRepo', checkGitRepo),
  part('gcePersistentDisk', checkDiskPartition('pdName'), 'persistentDisk'),
  part('awsElasticBlockStore', checkDiskPartition('volumeID')),
  part('secret', ({ secretName = '', defaultMode, items }, at) => {
    if (secretName === '') at.child('secretName').required()
    checkFileMode(defaultMode, at.child('defaultMode'))
    checkKeyPaths(items ?? [], at.child('items'))
  }),
  part('nfs', checkNfs),
  part('iscsi', checkIscsi),
  part('glusterfs', checkRequiredFields('endpoints', 'path')),
  part('flocker', checkFlocker),
  part('persistentVolumeClaim', checkRequiredFields('claimName')),
  part('rbd', checkRequiredFields('monitors', 'image')),
  part('cinder', (cinder, at) => {
    checkRequiredFields('volumeID')(cinder, at)
    if (cinder.secretRef !== undefined) {
      checkRequiredFields('name')(cinder.secretRef, at.child('secretRef'))
    }
  }),
  part('cephfs', checkRequiredFields('monitors')),
  part('quobyte', checkQuobyte),
  part('downwardAPI', ({ defaultMode, items = [] }, at) => {
    checkFileMode(defaultMode, at.child('defaultMode'))
    checkDownwardApiItems(items, at)
  }),
  part('fc', checkFibreChannel),
  part('flexVolume', checkFlexVolume),
  part('configMap', ({ name = '', defaultMode, items }, at) => {
    if (name === '') at.child('name').required()
    checkFileMode(defaultMode, at.child('defaultMode'))
    checkKeyPaths(items ?? [], at.child('items'))
  }),
  part('azureFile', checkRequiredFields('secretName', 'shareName')),
  part('vsphereVolume', checkRequiredFields('volumePath')),
  part('photonPersistentDisk', checkRequiredFields('pdID')),
  part('portworxVolume', checkRequiredFields('volumeID')),
  part('azureDisk', checkAzureDisk),
  part('storageos', (storageos, at) => checkStorageOs(storageos, at, false)),
  part('projected', checkProjectedVolume),
  part('scaleIO', checkRequiredFields('gateway', 'system', 'volumeName')),
  part('csi', ({ driver = '', nodePublishSecretRef }, at) => {
    checkCsiDriverName(driver, at.child('driver'))
    if (nodePublishSecretRef === undefined) return
    const { name = '' } = nodePublishSecretRef
    if (name === '') at.child('nodePublishSecretRef', 'name').required()
    else at.child('name').invalidEach(name, subdomainProblems(name))
  }),
  ['ephemeral', 'ephemeral', checkEphemeral],
  ['image', 'image', checkImage],
]

function checkImage({ volume, at, isPod }: Source): void {
  const { reference = '', pullPolicy } = volume.image ?? {}
  if (isPod && reference === '') at.child('image', 'reference').required()
  checkPullPolicy(pullPolicy, at.child('image', 'pullPolicy'))
}

function checkEphemeral({ volume, at, podName }: Source): void {
  const { name = '', ephemeral } = volume
  const template = ephemeral?.volumeClaimTemplate
  const place = at.child('ephemeral', 'volumeClaimTemplate')
  if (template === undefined) place.required()
  else checkClaimTemplate(template, place)
  if (podName === '' || name === '') return
  const claim = `${podName}-${name}`
  const problems = subdomainProblems(claim).map((text) => `PVC name "${claim}": ${text}`)
  at.child('name').invalidEach(name, problems)
}

function checkSource(source: Source): void {
  const { volume, at } = source
  let count = 0
  for (const [field, path, check] of sources) {
    if (volume[field] === undefined) continue
    count++
    if (count === 1) check(source)
    else at.child(path).forbidden('may not specify more than 1 volume type')
    if (field === 'iscsi') checkIscsiName(volume, at)
  }
  if (count === 0) at.required('must specify a volume type')
}

function checkIscsiName({ name = '', iscsi }: Volume, at: FieldPath): void {
  if (iscsi?.initiatorName === undefined) return
  if (`${name}:${iscsi.targetPortal ?? ''}`.length <= 64) return
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
  at.child('name').invalid(name, detail)
}

/** Checks the volumes of a pod and returns the valid ones. */
export function checkVolumes(
  volumes: readonly Volume[],
  at: FieldPath,
  podMetadata: Metadata | undefined,
): Volumes {
  const podName = podMetadata?.name ?? ''
  const ephemeral = volumes.filter((volume) => volume.ephemeral !== undefined)
  const createdClaims = new Set(
    podName === '' ? [] : ephemeral.map(({ name = '' }) => `${podName}-${name}`),
  )
  const good = new Map<string, Volume>()
  for (const [index, volume] of volumes.entries()) {
    const { name = '', persistentVolumeClaim } = volume
    const place = at.index(index)
    const hasProblems = place.collects(() => {
      checkSource({ volume, at: place, podName, isPod: podMetadata !== undefined })
      if (name === '') place.child('name').required()
      else place.child('name').invalidEach(name, labelProblems(name))
      if (good.has(name)) place.child('name').duplicate(name)
    })
    if (!hasProblems) good.set(name, volume)
    const claimName = persistentVolumeClaim?.claimName ?? ''
    if (persistentVolumeClaim === undefined || !createdClaims.has(claimName)) continue
    const detail = 'must not reference a PVC that gets created for an ephemeral volume'
    place.child('persistentVolumeClaim', 'claimName').invalid(claimName, detail)
  }
  return good
}
