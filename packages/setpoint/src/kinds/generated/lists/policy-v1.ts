// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const PodDisruptionBudgetSpec: ListTypes = {
  selector: { patch: 'replace', atomic: true },
}

export const PodDisruptionBudgetStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const PodDisruptionBudget: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: PodDisruptionBudgetSpec },
  status: { fields: PodDisruptionBudgetStatus },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  PodDisruptionBudget,
}
