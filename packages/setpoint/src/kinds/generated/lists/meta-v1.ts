// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'

export const ObjectMeta: ListTypes = {
  finalizers: { list: 'set', patch: 'merge' },
  ownerReferences: { list: 'map', keys: ['uid'], patch: 'merge', mergeKey: 'uid', items: { atomic: true } },
}

