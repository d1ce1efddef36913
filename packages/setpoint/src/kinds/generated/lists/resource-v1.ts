// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const DeviceClass: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const AllocationResult: ListTypes = {
  nodeSelector: { atomic: true },
}

export const AllocatedDeviceStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'] },
}

export const ResourceClaimStatus: ListTypes = {
  allocation: { fields: AllocationResult },
  devices: { list: 'map', keys: ['driver', 'device', 'pool', 'shareID'], items: { fields: AllocatedDeviceStatus } },
  reservedFor: { list: 'map', keys: ['uid'], patch: 'merge', mergeKey: 'uid' },
}

export const ResourceClaim: ListTypes = {
  metadata: { fields: ObjectMeta },
  status: { fields: ResourceClaimStatus },
}

export const ResourceClaimTemplateSpec: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const ResourceClaimTemplate: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ResourceClaimTemplateSpec },
}

export const ResourceSliceSpec: ListTypes = {
  nodeSelector: { atomic: true },
}

export const ResourceSlice: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ResourceSliceSpec },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
}
