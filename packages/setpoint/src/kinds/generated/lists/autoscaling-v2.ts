// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'

export const HorizontalPodAutoscaler: ListTable = ['status:f', ['conditions:ktype']]

export const listTables: Readonly<Record<string, ListTable>> = {
  HorizontalPodAutoscaler,
}
