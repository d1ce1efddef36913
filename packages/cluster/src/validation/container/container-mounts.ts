import type { FieldPath } from '../go/field-path.ts'
import { checkLocalPath, hasBacksteps } from '../fields/path-rules.ts'
import type { Container, Spec } from '../pod/pod-options.ts'

/** The valid volumes of a pod, by name. */
export type Volumes = ReadonlyMap<string, NonNullable<Spec['volumes']>[number]>

type Mount = NonNullable<Container['volumeMounts']>[number]

/** Checks `volumeMounts`. Like a real server, it reports some errors at the list. */
export function checkVolumeMounts(container: Container, at: FieldPath, volumes: Volumes): void {
  const { volumeMounts = [], volumeDevices = [] } = container
  const deviceNames = new Set(volumeDevices.map(({ name }) => name))
  const devicePaths = new Set(lastPaths(volumeDevices, ({ devicePath }) => devicePath))
  const seen = new Set<string>()
  for (const [index, mount] of volumeMounts.entries()) {
    const { name = '', mountPath = '' } = mount
    const place = at.index(index)
    if (name === '') place.child('name').required()
    if (!volumes.has(name)) place.child('name').notFound(name)
    if (mountPath === '') place.child('mountPath').required()
    if (seen.has(mountPath)) place.child('mountPath').invalid(mountPath, 'must be unique')
    seen.add(mountPath)
    if (deviceNames.has(name)) {
      place.child('name').invalid(name, 'must not already exist in volumeDevices')
    }
    if (devicePaths.has(mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices'
      place.child('mountPath').invalid(mountPath, detail)
    }
    checkSubPaths(mount, at, place)
    checkPropagation(mount, container, at)
    checkRecursiveReadOnly(mount, at.child('recursiveReadOnly'))
  }
}

/** Of several entries with the same name, a real server keeps the path of the last. */
function lastPaths<T extends { readonly name?: string }>(
  items: readonly T[],
  pathOf: (item: T) => string | undefined,
): (string | undefined)[] {
  return [...new Map(items.map((item) => [item.name, pathOf(item)])).values()]
}

function checkSubPaths(mount: Mount, at: FieldPath, place: FieldPath): void {
  const { subPath = '', subPathExpr = '' } = mount
  if (subPath !== '') checkLocalPath(subPath, at.child('subPath'))
  if (subPathExpr === '') return
  if (subPath !== '') {
    const detail = 'subPathExpr and subPath are mutually exclusive'
    place.child('subPathExpr').invalid(subPathExpr, detail)
  }
  checkLocalPath(subPathExpr, at.child('subPathExpr'))
}

const propagations = ['Bidirectional', 'HostToContainer', 'None']

function checkPropagation(mount: Mount, container: Container, at: FieldPath): void {
  const { mountPropagation } = mount
  if (mountPropagation === undefined) return
  const place = at.child('mountPropagation')
  if (!propagations.includes(mountPropagation)) place.notSupported(mountPropagation, propagations)
  if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
    place.forbidden('Bidirectional mount propagation is available only to privileged containers')
  }
}

function checkRecursiveReadOnly(mount: Mount, at: FieldPath): void {
  const { recursiveReadOnly, readOnly = false, mountPropagation = 'None' } = mount
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') {
    return at.notSupported(recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'])
  }
  if (!readOnly) at.forbidden('may only be specified when readOnly is true')
  if (mountPropagation !== 'None') {
    at.forbidden('may only be specified when mountPropagation is None or not specified')
  }
}

/** Checks `volumeDevices`. */
export function checkVolumeDevices(container: Container, at: FieldPath, volumes: Volumes): void {
  const { volumeMounts = [], volumeDevices = [] } = container
  const mountNames = new Set(volumeMounts.map(({ name }) => name))
  const mountPaths = new Set(lastPaths(volumeMounts, ({ mountPath }) => mountPath))
  const names = new Set<string>()
  const paths = new Set<string>()
  for (const [index, { name = '', devicePath = '' }] of volumeDevices.entries()) {
    const [nameAt, pathAt] = [at.index(index).child('name'), at.index(index).child('devicePath')]
    const volume = volumes.get(name)
    if (name === '') nameAt.required()
    if (names.has(name)) nameAt.invalid(name, 'must be unique')
    if (volume === undefined) nameAt.notFound(name)
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail =
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      nameAt.invalid(name, detail)
    }
    if (devicePath === '') pathAt.required()
    if (paths.has(devicePath)) pathAt.invalid(devicePath, 'must be unique')
    if (hasBacksteps(devicePath)) {
      pathAt.invalid(devicePath, "can not contain backsteps ('..')")
    } else paths.add(devicePath)
    if (mountNames.has(name)) nameAt.invalid(name, 'must not already exist in volumeMounts')
    if (mountPaths.has(devicePath)) {
      pathAt.invalid(devicePath, 'must not already exist as a path in volumeMounts')
    }
    if (name !== '') names.add(name)
  }
}
