// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const DeviceClass: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const ResourceClaim: ListTable = ['metadata:f status:f', metaV1.ObjectMeta, ['allocation:f devices:lmap,kdriver,kdevice,kpool,kshareID,if reservedFor:lmap,kuid,pmerge,guid', ['nodeSelector:a'], ['conditions:lmap,ktype']]]

export const ResourceClaimTemplate: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['metadata:f', metaV1.ObjectMeta]]

export const ResourceSlice: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['nodeSelector:a']]

export const listTables: Readonly<Record<string, ListTable>> = {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
}
