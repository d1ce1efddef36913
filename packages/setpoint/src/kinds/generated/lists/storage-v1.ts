// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { PersistentVolumeSpec } from './core-v1.ts'
import { ObjectMeta } from './meta-v1.ts'

export const CSIDriverSpec: ListTypes = {
  volumeLifecycleModes: { list: 'set' },
}

export const CSIDriver: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: CSIDriverSpec },
}

export const CSINodeSpec: ListTypes = {
  drivers: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name' },
}

export const CSINode: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: CSINodeSpec },
}

export const CSIStorageCapacity: ListTypes = {
  metadata: { fields: ObjectMeta },
  nodeTopology: { atomic: true },
}

export const StorageClass: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const VolumeAttachmentSource: ListTypes = {
  inlineVolumeSpec: { fields: PersistentVolumeSpec },
}

export const VolumeAttachmentSpec: ListTypes = {
  source: { fields: VolumeAttachmentSource },
}

export const VolumeAttachment: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: VolumeAttachmentSpec },
}

export const VolumeAttributesClass: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
}
