// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const ResourceClaim: ListTable = ['status:f', ['devices:kdriver,kdevice,kpool,kshareID,if reservedFor:kuid', ['conditions:ktype']]]

export const ResourceClaimTemplate: ListTable = ['spec:f', ['metadata:f', metaV1.ObjectMeta]]

export const listTables: Readonly<Record<string, ListTable>> = {
  ResourceClaim,
  ResourceClaimTemplate,
}
