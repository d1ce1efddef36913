// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { PodTemplateSpec } from './core-v1.ts'
import { ObjectMeta } from './meta-v1.ts'

export const ControllerRevision: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const DaemonSetSpec: ListTypes = {
  selector: { atomic: true },
  template: { fields: PodTemplateSpec },
}

export const DaemonSetStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const DaemonSet: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: DaemonSetSpec },
  status: { fields: DaemonSetStatus },
}

export const DeploymentSpec: ListTypes = {
  selector: { atomic: true },
  strategy: { patch: 'retainKeys' },
  template: { fields: PodTemplateSpec },
}

export const DeploymentStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const Deployment: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: DeploymentSpec },
  status: { fields: DeploymentStatus },
}

export const ReplicaSetSpec: ListTypes = {
  selector: { atomic: true },
  template: { fields: PodTemplateSpec },
}

export const ReplicaSetStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const ReplicaSet: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ReplicaSetSpec },
  status: { fields: ReplicaSetStatus },
}

export const StatefulSetSpec: ListTypes = {
  selector: { atomic: true },
  template: { fields: PodTemplateSpec },
}

export const StatefulSetStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const StatefulSet: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: StatefulSetSpec },
  status: { fields: StatefulSetStatus },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
}
