// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const CSIDriver: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['volumeLifecycleModes:lset']]

export const CSINode: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['drivers:lmap,kname,pmerge,gname']]

export const CSIStorageCapacity: ListTable = ['metadata:f nodeTopology:a', metaV1.ObjectMeta]

export const StorageClass: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const VolumeAttachment: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['source:f', ['inlineVolumeSpec:f', coreV1.PersistentVolumeSpec]]]

export const VolumeAttributesClass: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const listTables: Readonly<Record<string, ListTable>> = {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
}
