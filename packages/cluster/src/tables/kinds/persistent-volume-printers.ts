import type { JsonObject, JsonValue } from 'setpoint/schema'
import { isTerminating, metadataOf, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** Persistent volumes and claims. */
export const persistentVolumePrinters: CellPrinters = {
  '/persistentvolumeclaims': claimCells,
  '/persistentvolumes': volumeCells,
}

interface SharedSpec {
  readonly accessModes?: readonly string[]
  readonly storageClassName?: string
  readonly volumeAttributesClassName?: string
  readonly volumeMode?: string
}

interface Volume {
  readonly spec?: SharedSpec & {
    readonly capacity?: Readonly<Record<string, string>>
    readonly claimRef?: { readonly namespace?: string; readonly name?: string }
    readonly persistentVolumeReclaimPolicy?: string
  }
  readonly status?: { readonly phase?: string; readonly reason?: string }
}

function volumeCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as Volume
  const claim = spec?.claimRef
  return [
    nameOf(object),
    spec?.capacity?.['storage'] ?? '0',
    accessModesText(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    isTerminating(object) ? 'Terminating' : (status?.phase ?? ''),
    claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
    storageClassOf(object, spec),
    spec?.volumeAttributesClassName ?? '<unset>',
    status?.reason ?? '',
    ageOf(object, nowMs),
    spec?.volumeMode ?? '<unset>',
  ]
}

interface Claim {
  readonly spec?: SharedSpec & { readonly volumeName?: string }
  readonly status?: {
    readonly phase?: string
    readonly accessModes?: readonly string[]
    readonly capacity?: Readonly<Record<string, string>>
  }
}

function claimCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as Claim
  const volume = spec?.volumeName ?? ''
  return [
    nameOf(object),
    isTerminating(object) ? 'Terminating' : (status?.phase ?? ''),
    volume,
    volume === '' ? '' : (status?.capacity?.['storage'] ?? '0'),
    volume === '' ? '' : accessModesText(status?.accessModes),
    storageClassOf(object, spec),
    spec?.volumeAttributesClassName ?? '<unset>',
    ageOf(object, nowMs),
    spec?.volumeMode ?? '<unset>',
  ]
}

/** The deprecated annotation overrides the field. */
function storageClassOf(object: JsonObject, spec: SharedSpec | undefined): string {
  const annotated = metadataOf(object).annotations?.['volume.beta.kubernetes.io/storage-class']
  return annotated ?? spec?.storageClassName ?? ''
}

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]

function accessModesText(modes: readonly string[] = []): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
}
