// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const ControllerRevision: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const DaemonSet: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['selector:a template:f', coreV1.PodTemplateSpec], ['conditions:lmap,ktype,pmerge,gtype']]

export const Deployment: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['selector:a strategy:pretainKeys template:f', coreV1.PodTemplateSpec], ['conditions:lmap,ktype,pmerge,gtype']]

export const ReplicaSet: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['selector:a template:f', coreV1.PodTemplateSpec], ['conditions:lmap,ktype,pmerge,gtype']]

export const StatefulSet: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['selector:a template:f', coreV1.PodTemplateSpec], ['conditions:lmap,ktype,pmerge,gtype']]

export const listTables: Readonly<Record<string, ListTable>> = {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
}
