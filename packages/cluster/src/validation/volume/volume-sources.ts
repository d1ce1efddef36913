/** The rules of volume sources; pods and PersistentVolumes share most of them. */
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GitRepoVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  StorageOSPersistentVolumeSource,
} from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { byteLength, labelProblems, rangeProblem, subdomainProblems } from '../fields/name-rules.ts'
import { checkLocalPath, checkNoBacksteps } from '../fields/path-rules.ts'
import { checkRequiredFields } from '../fields/required-fields.ts'

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

/** A path on the node. */
export function checkHostPath(source: Decoded<HostPathVolumeSource>, at: FieldPath): void {
  const { path = '', type } = source
  if (path === '') return at.child('path').required()
  checkNoBacksteps(path, at.child('path'))
  if (type !== undefined && !hostPathTypes.includes(type)) {
    at.child('type').notSupported(type, hostPathTypes)
  }
}

/** A git repository that is cloned into an empty directory. */
export function checkGitRepo(source: Decoded<GitRepoVolumeSource>, at: FieldPath): void {
  checkRequiredFields('repository')(source, at)
  checkLocalPath(source.directory ?? '', at.child('directory'))
}

/** A cloud disk with a name in the given field and a partition. */
export function checkDiskPartition<K extends string>(
  nameField: K,
): (
  source: { readonly partition?: number } & { readonly [Key in K]?: string },
  at: FieldPath,
) => void {
  return (source, at) => {
    const { partition = 0 } = source
    if ((source[nameField] ?? '') === '') at.child(nameField).required()
    if (partition < 0 || partition > 255) {
      at.child('partition').invalid(partition, rangeProblem(1, 255))
    }
  }
}

/** An NFS export. */
export function checkNfs(source: Decoded<NFSVolumeSource>, at: FieldPath): void {
  checkRequiredFields('server', 'path')(source, at)
  const { path = '' } = source
  if (!path.startsWith('/')) at.child('path').invalid(path, 'must be an absolute path')
}

const initiatorNames = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
}

function iscsiNameProblem(name: string, isPersistent: boolean): string | undefined {
  const valid = 'must be valid format'
  for (const [prefix, pattern] of Object.entries(initiatorNames)) {
    if (name.startsWith(prefix)) return pattern.test(name) ? undefined : valid
  }
  return isPersistent ? valid : `${valid} starting with iqn, eui, or naa`
}

/** An iSCSI disk; `isPersistent` for PersistentVolumes, whose secrets must have a name. */
export function checkIscsi(
  source: Decoded<ISCSIVolumeSource>,
  at: FieldPath,
  persistent?: { readonly name: string },
): void {
  const { targetPortal = '', iqn = '', lun = 0, secretRef, initiatorName } = source
  const isPersistent = persistent !== undefined
  if (targetPortal === '') at.child('targetPortal').required()
  if (isPersistent && initiatorName !== undefined) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
    const length = `${persistent.name}:${targetPortal}`.length
    if (length > 64) at.child('targetportal').invalid(targetPortal, detail)
  }
  if (iqn === '') at.child('iqn').required()
  else {
    const problem = iscsiNameProblem(iqn, isPersistent)
    if (problem !== undefined) at.child('iqn').invalid(iqn, problem)
  }
  checkLun(lun, at)
  const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true
  if (needsSecret && secretRef === undefined) at.child('secretRef').required()
  if (isPersistent && secretRef !== undefined && (secretRef.name ?? '') === '') {
    at.child('secretRef', 'name').required()
  }
  if (initiatorName !== undefined) {
    const problem = iscsiNameProblem(initiatorName, isPersistent)
    if (problem !== undefined) at.child('initiatorname').invalid(initiatorName, problem)
  }
}

function checkLun(lun: number, at: FieldPath): void {
  if (lun < 0 || lun > 255) at.child('lun').invalid(lun, rangeProblem(0, 255))
}

/** A Fibre Channel disk. */
export function checkFibreChannel(source: Decoded<FCVolumeSource>, at: FieldPath): void {
  const { targetWWNs = [], wwids = [], lun } = source
  const place = at.child('targetWWNs')
  if (targetWWNs.length === 0 && wwids.length === 0) {
    place.required('must specify either targetWWNs or wwids, but not both')
  }
  if (targetWWNs.length === 0) return
  if (wwids.length > 0) {
    place.invalid(targetWWNs, 'targetWWNs and wwids can not be specified simultaneously')
  }
  if (lun === undefined) at.child('lun').required('lun is required if targetWWNs is specified')
  else checkLun(lun, at)
}

/** A Flocker dataset; its fields are still checked although the driver was removed. */
export function checkFlocker(source: Decoded<FlockerVolumeSource>, at: FieldPath): void {
  const { datasetName = '', datasetUUID = '' } = source
  if (datasetName === '' && datasetUUID === '') {
    at.required('one of datasetName and datasetUUID is required')
  }
  if (datasetName !== '' && datasetUUID !== '') {
    at.invalid('resource', 'datasetName and datasetUUID can not be specified simultaneously')
  }
  if (datasetName.includes('/')) {
    at.child('datasetName').invalid(datasetName, "must not contain '/'")
  }
}

/** A volume of a Quobyte cluster. */
export function checkQuobyte(source: Decoded<QuobyteVolumeSource>, at: FieldPath): void {
  const { registry = '', tenant = '', volume = '' } = source
  const pairs = 'must be a host:port pair or multiple pairs separated by commas'
  if (registry === '') at.child('registry').required(pairs)
  else if (byteLength(tenant) >= 65) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters'
    at.child('tenant').required(detail)
  } else {
    for (const pair of registry.split(',')) {
      if (!/^([^:]*|\[.*\]):[^:]*$/.test(pair)) at.child('registry').invalid(registry, pairs)
    }
  }
  if (volume === '') at.child('volume').required()
}

/** A volume of a FlexVolume driver; Kubernetes reserves some options. */
export function checkFlexVolume(
  source: Pick<Decoded<FlexVolumeSource>, 'driver' | 'options'>,
  at: FieldPath,
): void {
  if ((source.driver ?? '') === '') at.child('driver').required()
  for (const option of Object.keys(source.options ?? {})) {
    const domain = `.${(option.split('/')[0] ?? '').toLowerCase()}`
    if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue
    const detail = 'kubernetes.io and k8s.io namespaces are reserved'
    at.child('options').key(option).invalid(option, detail)
  }
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite']
const diskKinds = ['Dedicated', 'Managed', 'Shared']

/** An Azure disk. */
export function checkAzureDisk(source: Decoded<AzureDiskVolumeSource>, at: FieldPath): void {
  const { diskURI = '', cachingMode, kind } = source
  checkRequiredFields('diskName', 'diskURI')(source, at)
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    at.child('cachingMode').notSupported(cachingMode, cachingModes)
  }
  if (kind === undefined) return
  if (!diskKinds.includes(kind)) at.child('kind').notSupported(kind, diskKinds)
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) {
    const managed =
      '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
    at.child('diskURI').notSupportedText(diskURI, [managed])
  }
  if (kind !== 'Managed' && !diskURI.startsWith('https://')) {
    const blob = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'
    at.child('diskURI').notSupportedText(diskURI, [blob])
  }
}

/** A volume of a StorageOS cluster. */
export function checkStorageOs(
  source: Decoded<StorageOSPersistentVolumeSource>,
  at: FieldPath,
  isPersistent: boolean,
): void {
  const { volumeName = '', volumeNamespace = '', secretRef } = source
  if (volumeName === '') at.child('volumeName').required()
  else at.child('volumeName').invalidEach(volumeName, labelProblems(volumeName))
  if (volumeNamespace !== '') {
    at.child('volumeNamespace').invalidEach(volumeNamespace, labelProblems(volumeNamespace))
  }
  if (secretRef === undefined) return
  if ((secretRef.name ?? '') === '') at.child('secretRef', 'name').required()
  if (isPersistent && (secretRef.namespace ?? '') === '') {
    at.child('secretRef', 'namespace').required()
  }
}

/** The name of a CSI driver: a domain name that may be upper case. */
export function checkCsiDriverName(name: string, at: FieldPath): void {
  if (name === '') return at.required()
  if (byteLength(name) > 63) at.tooLong(63)
  at.invalidEach(name, subdomainProblems(name.toLowerCase()))
}
