// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as coreV1 from './core-v1.ts'

export const DaemonSet: ListTable = ['spec:f status:f', ['template:f', coreV1.PodTemplateSpec], ['conditions:ktype']]

export const Deployment: ListTable = ['spec:f status:f', ['template:f', coreV1.PodTemplateSpec], ['conditions:ktype']]

export const ReplicaSet: ListTable = ['spec:f status:f', ['template:f', coreV1.PodTemplateSpec], ['conditions:ktype']]

export const StatefulSet: ListTable = ['spec:f status:f', ['template:f', coreV1.PodTemplateSpec], ['conditions:ktype']]

export const listTables: Readonly<Record<string, ListTable>> = {
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
}
