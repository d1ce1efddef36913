/** The spec of a claim: of PersistentVolumeClaims, their templates and ephemeral volumes. */
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLabels, checkLabelSelector } from '../fields/check-label-selector.ts'
import { labelProblems, subdomainProblems } from '../fields/name-rules.ts'
import { checkAnnotations } from '../object-meta.ts'
import { signOf } from '../fields/compare-quantities.ts'

/** A claim's spec after decoding. */
export type ClaimSpec = Decoded<PersistentVolumeClaimSpec>

/** Values that are allowed because the stored claim has them. */
export interface ClaimOptions {
  readonly allowInvalidSelectorValues?: boolean
  readonly allowInvalidApiGroups?: boolean
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** The modes of a volume: a file system or a block device. */
export const volumeModes = ['Block', 'Filesystem']

/** Checks known modes, and that ReadWriteOncePod is alone. */
export function checkAccessModes(modes: readonly string[], at: FieldPath): void {
  for (const mode of modes) if (!accessModes.includes(mode)) at.notSupported(mode, accessModes)
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))
  if (modes.includes('ReadWriteOncePod') && others.length > 0) {
    at.forbidden('may not use ReadWriteOncePod with other access modes')
  }
}

/** Checks the specification of a claim. */
export function checkClaimSpec(spec: ClaimSpec, at: FieldPath, options: ClaimOptions = {}): void {
  const { accessModes: modes = [], storageClassName, volumeMode } = spec
  if (modes.length === 0) at.child('accessModes').required('at least 1 access mode is required')
  checkLabelSelector(spec.selector, at.child('selector'), {
    allowInvalidValues: options.allowInvalidSelectorValues ?? false,
  })
  checkAccessModes(modes, at.child('accessModes'))
  const storage = spec.resources?.requests?.['storage']
  const storageAt = at.child('resources').key('storage')
  if (storage === undefined) storageAt.required()
  else if (signOf(storage) <= 0) storageAt.invalid(storage, 'must be greater than zero')
  if (storageClassName !== undefined && storageClassName !== '') {
    const problems = subdomainProblems(storageClassName)
    at.child('storageClassName').invalidEach(storageClassName, problems)
  }
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode)) {
    at.child('volumeMode').notSupported(volumeMode, volumeModes)
  }
  checkDataSources(spec, at, options)
  const attributes = spec.volumeAttributesClassName ?? ''
  if (attributes !== '') {
    at.child('volumeAttributesClassName').invalidEach(attributes, subdomainProblems(attributes))
  }
}

function checkDataSources(spec: ClaimSpec, at: FieldPath, options: ClaimOptions): void {
  const { dataSource, dataSourceRef } = spec
  if (dataSource !== undefined) checkDataSource(dataSource, at.child('dataSource'), options)
  const namespace = dataSourceRef?.namespace ?? ''
  if (dataSourceRef !== undefined) {
    const place = at.child('dataSourceRef')
    checkDataSource(dataSourceRef, place, options)
    if (namespace !== '') {
      place.child('namespace').invalidEach(namespace, labelProblems(namespace))
    }
  }
  if (dataSource === undefined || dataSourceRef === undefined) return
  // A real server prints the path here as an empty struct.
  if (namespace !== '') {
    at.invalidPrinted('{}', 'may not be specified when dataSourceRef.namespace is specified')
  } else if (
    dataSource.apiGroup !== dataSourceRef.apiGroup ||
    dataSource.kind !== dataSourceRef.kind ||
    dataSource.name !== dataSourceRef.name
  ) {
    at.invalidPrinted('{}', 'must match dataSourceRef')
  }
}

function checkDataSource(
  source: NonNullable<ClaimSpec['dataSource']>,
  at: FieldPath,
  options: ClaimOptions,
): void {
  const { name = '', kind = '' } = source
  const apiGroup = source.apiGroup ?? ''
  if (name === '') at.child('name').required()
  if (kind === '') at.child('kind').required()
  if (apiGroup === '') {
    if (kind !== 'PersistentVolumeClaim') {
      at.invalid(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")
    }
  } else if (options.allowInvalidApiGroups !== true) {
    at.child('apiGroup').invalidEach(apiGroup, subdomainProblems(apiGroup))
  }
}

/** Metadata fields in the order of Go's struct; templates may only have labels and annotations. */
const templateForbidden = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uID',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

/** Checks the template of a claim of an ephemeral volume. */
export function checkClaimTemplate(
  template: Decoded<PersistentVolumeClaimTemplate>,
  at: FieldPath,
): void {
  const metadata: Readonly<Record<string, unknown>> = template.metadata ?? {}
  checkAnnotations(template.metadata?.annotations, at.child('metadata', 'annotations'))
  checkLabels(template.metadata?.labels, at.child('metadata', 'labels'))
  for (const field of templateForbidden) {
    const value = metadata[field === 'uID' ? 'uid' : field]
    if (value !== undefined && value !== null && value !== '' && value !== 0) {
      at.child('metadata', field).forbidden('cannot be set')
    }
  }
  checkClaimSpec(template.spec ?? {}, at.child('spec'))
}
