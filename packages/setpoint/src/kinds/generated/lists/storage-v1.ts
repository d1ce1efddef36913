// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'

export const CSIDriver: ListTable = ['spec:f', ['volumeLifecycleModes:s']]

export const CSINode: ListTable = ['spec:f', ['drivers:kname']]

export const listTables: Readonly<Record<string, ListTable>> = {
  CSIDriver,
  CSINode,
}
