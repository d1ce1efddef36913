// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const PriorityClass: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  PriorityClass,
}
