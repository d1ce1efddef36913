// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const CustomResourceDefinition: ListTable = ['metadata:f status:f', metaV1.ObjectMeta, ['conditions:lmap,ktype']]

export const listTables: Readonly<Record<string, ListTable>> = {
  CustomResourceDefinition,
}
