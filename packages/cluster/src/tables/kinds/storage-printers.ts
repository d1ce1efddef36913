import type { JsonObject, JsonValue } from 'setpoint/schema'
import { metadataOf, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** The group storage.k8s.io. */
export const storagePrinters: CellPrinters = {
  'storage.k8s.io/csidrivers': csiDriverCells,
  'storage.k8s.io/csinodes': csiNodeCells,
  'storage.k8s.io/storageclasses': storageClassCells,
  'storage.k8s.io/volumeattachments': volumeAttachmentCells,
  'storage.k8s.io/volumeattributesclasses': volumeAttributesClassCells,
}

interface CsiDriver {
  readonly spec?: {
    readonly attachRequired?: boolean
    readonly podInfoOnMount?: boolean
    readonly storageCapacity?: boolean
    readonly requiresRepublish?: boolean
    readonly tokenRequests?: readonly { readonly audience?: string }[]
    readonly volumeLifecycleModes?: readonly string[]
  }
}

function csiDriverCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec = {} } = object as unknown as CsiDriver
  const modes = (spec.volumeLifecycleModes ?? []).join(',')
  return [
    nameOf(object),
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? '<unset>',
    spec.requiresRepublish ?? false,
    modes === '' ? '<none>' : modes,
    ageOf(object, nowMs),
  ]
}

function csiNodeCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as {
    readonly spec?: { readonly drivers?: readonly object[] | null }
  }
  return [nameOf(object), (spec?.drivers ?? []).length, ageOf(object, nowMs)]
}

const defaultMarks = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

interface StorageClass {
  readonly provisioner?: string
  readonly reclaimPolicy?: string
  readonly volumeBindingMode?: string
  readonly allowVolumeExpansion?: boolean
}

function storageClassCells(object: JsonObject, nowMs: number): JsonValue[] {
  const storageClass = object as unknown as StorageClass
  const annotations = metadataOf(object).annotations ?? {}
  const isDefault = defaultMarks.some((mark) => annotations[mark] === 'true')
  return [
    isDefault ? `${nameOf(object)} (default)` : nameOf(object),
    storageClass.provisioner ?? '',
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    ageOf(object, nowMs),
  ]
}

interface VolumeAttachment {
  readonly spec?: {
    readonly attacher?: string
    readonly nodeName?: string
    readonly source?: { readonly persistentVolumeName?: string }
  }
  readonly status?: { readonly attached?: boolean }
}

function volumeAttachmentCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as VolumeAttachment
  return [
    nameOf(object),
    spec?.attacher ?? '',
    spec?.source?.persistentVolumeName ?? '',
    spec?.nodeName ?? '',
    status?.attached ?? false,
    ageOf(object, nowMs),
  ]
}

function volumeAttributesClassCells(object: JsonObject, nowMs: number): JsonValue[] {
  return [nameOf(object), object['driverName'] ?? '', ageOf(object, nowMs)]
}
