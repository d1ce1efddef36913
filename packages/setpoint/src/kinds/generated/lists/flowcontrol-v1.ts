// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const FlowSchemaStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const FlowSchema: ListTypes = {
  metadata: { fields: ObjectMeta },
  status: { fields: FlowSchemaStatus },
}

export const PriorityLevelConfigurationStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const PriorityLevelConfiguration: ListTypes = {
  metadata: { fields: ObjectMeta },
  status: { fields: PriorityLevelConfigurationStatus },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  FlowSchema,
  PriorityLevelConfiguration,
}
