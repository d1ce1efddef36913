// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const Binding: ListTypes = {
  metadata: { fields: ObjectMeta },
  target: { atomic: true },
}

export const ComponentStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
  metadata: { fields: ObjectMeta },
}

export const ConfigMap: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const Endpoints: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const Event: ListTypes = {
  involvedObject: { atomic: true },
  metadata: { fields: ObjectMeta },
  related: { atomic: true },
}

export const LimitRange: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const NamespaceStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const Namespace: ListTypes = {
  metadata: { fields: ObjectMeta },
  status: { fields: NamespaceStatus },
}

export const NodeSpec: ListTypes = {
  podCIDRs: { list: 'set', patch: 'merge' },
}

export const NodeStatus: ListTypes = {
  addresses: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const Node: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: NodeSpec },
  status: { fields: NodeStatus },
}

export const PersistentVolumeClaimSpec: ListTypes = {
  dataSource: { atomic: true },
  selector: { atomic: true },
}

export const PersistentVolumeClaimStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const PersistentVolumeClaim: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: PersistentVolumeClaimSpec },
  status: { fields: PersistentVolumeClaimStatus },
}

export const CephFSPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const CinderPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const CSIPersistentVolumeSource: ListTypes = {
  controllerExpandSecretRef: { atomic: true },
  controllerPublishSecretRef: { atomic: true },
  nodeExpandSecretRef: { atomic: true },
  nodePublishSecretRef: { atomic: true },
  nodeStageSecretRef: { atomic: true },
}

export const FlexPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const ISCSIPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const VolumeNodeAffinity: ListTypes = {
  required: { atomic: true },
}

export const RBDPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const ScaleIOPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const StorageOSPersistentVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const PersistentVolumeSpec: ListTypes = {
  cephfs: { fields: CephFSPersistentVolumeSource },
  cinder: { fields: CinderPersistentVolumeSource },
  csi: { fields: CSIPersistentVolumeSource },
  flexVolume: { fields: FlexPersistentVolumeSource },
  iscsi: { fields: ISCSIPersistentVolumeSource },
  nodeAffinity: { fields: VolumeNodeAffinity },
  rbd: { fields: RBDPersistentVolumeSource },
  scaleIO: { fields: ScaleIOPersistentVolumeSource },
  storageos: { fields: StorageOSPersistentVolumeSource },
}

export const PersistentVolume: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: PersistentVolumeSpec },
}

export const NodeAffinity: ListTypes = {
  requiredDuringSchedulingIgnoredDuringExecution: { atomic: true },
}

export const Affinity: ListTypes = {
  nodeAffinity: { fields: NodeAffinity },
}

export const EnvVarSource: ListTypes = {
  configMapKeyRef: { atomic: true },
  fieldRef: { atomic: true },
  fileKeyRef: { atomic: true },
  resourceFieldRef: { atomic: true },
  secretKeyRef: { atomic: true },
}

export const EnvVar: ListTypes = {
  valueFrom: { fields: EnvVarSource },
}

export const ResourceRequirements: ListTypes = {
  claims: { list: 'map', keys: ['name'] },
}

export const Container: ListTypes = {
  env: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: EnvVar } },
  ports: { list: 'map', keys: ['containerPort', 'protocol'], patch: 'merge', mergeKey: 'containerPort' },
  resources: { fields: ResourceRequirements },
  volumeDevices: { list: 'map', keys: ['devicePath'], patch: 'merge', mergeKey: 'devicePath' },
  volumeMounts: { list: 'map', keys: ['mountPath'], patch: 'merge', mergeKey: 'mountPath' },
}

export const EphemeralContainer: ListTypes = {
  env: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: EnvVar } },
  ports: { list: 'map', keys: ['containerPort', 'protocol'], patch: 'merge', mergeKey: 'containerPort' },
  resources: { fields: ResourceRequirements },
  volumeDevices: { list: 'map', keys: ['devicePath'], patch: 'merge', mergeKey: 'devicePath' },
  volumeMounts: { list: 'map', keys: ['mountPath'], patch: 'merge', mergeKey: 'mountPath' },
}

export const TopologySpreadConstraint: ListTypes = {
  labelSelector: { atomic: true },
}

export const CephFSVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const CinderVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const CSIVolumeSource: ListTypes = {
  nodePublishSecretRef: { atomic: true },
}

export const PersistentVolumeClaimTemplate: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: PersistentVolumeClaimSpec },
}

export const EphemeralVolumeSource: ListTypes = {
  volumeClaimTemplate: { fields: PersistentVolumeClaimTemplate },
}

export const FlexVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const ISCSIVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const RBDVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const ScaleIOVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const StorageOSVolumeSource: ListTypes = {
  secretRef: { atomic: true },
}

export const Volume: ListTypes = {
  cephfs: { fields: CephFSVolumeSource },
  cinder: { fields: CinderVolumeSource },
  csi: { fields: CSIVolumeSource },
  ephemeral: { fields: EphemeralVolumeSource },
  flexVolume: { fields: FlexVolumeSource },
  iscsi: { fields: ISCSIVolumeSource },
  rbd: { fields: RBDVolumeSource },
  scaleIO: { fields: ScaleIOVolumeSource },
  storageos: { fields: StorageOSVolumeSource },
}

export const PodSpec: ListTypes = {
  affinity: { fields: Affinity },
  containers: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: Container } },
  ephemeralContainers: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: EphemeralContainer } },
  hostAliases: { list: 'map', keys: ['ip'], patch: 'merge', mergeKey: 'ip' },
  imagePullSecrets: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { atomic: true } },
  initContainers: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: Container } },
  nodeSelector: { atomic: true },
  resourceClaims: { list: 'map', keys: ['name'], patch: 'merge,retainKeys', mergeKey: 'name' },
  resources: { fields: ResourceRequirements },
  schedulingGates: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name' },
  topologySpreadConstraints: { list: 'map', keys: ['topologyKey', 'whenUnsatisfiable'], patch: 'merge', mergeKey: 'topologyKey', items: { fields: TopologySpreadConstraint } },
  volumes: { list: 'map', keys: ['name'], patch: 'merge,retainKeys', mergeKey: 'name', items: { fields: Volume } },
}

export const PodStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
  hostIPs: { patch: 'merge', mergeKey: 'ip' },
  podIPs: { list: 'map', keys: ['ip'], patch: 'merge', mergeKey: 'ip' },
  resourceClaimStatuses: { list: 'map', keys: ['name'], patch: 'merge,retainKeys', mergeKey: 'name' },
  resources: { fields: ResourceRequirements },
}

export const Pod: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: PodSpec },
  status: { fields: PodStatus },
}

export const PodTemplateSpec: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: PodSpec },
}

export const PodTemplate: ListTypes = {
  metadata: { fields: ObjectMeta },
  template: { fields: PodTemplateSpec },
}

export const ReplicationControllerSpec: ListTypes = {
  selector: { atomic: true },
  template: { fields: PodTemplateSpec },
}

export const ReplicationControllerStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const ReplicationController: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ReplicationControllerSpec },
  status: { fields: ReplicationControllerStatus },
}

export const ResourceQuotaSpec: ListTypes = {
  scopeSelector: { atomic: true },
}

export const ResourceQuota: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ResourceQuotaSpec },
}

export const Secret: ListTypes = {
  metadata: { fields: ObjectMeta },
}

export const ServiceAccount: ListTypes = {
  metadata: { fields: ObjectMeta },
  secrets: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { atomic: true } },
}

export const ServiceSpec: ListTypes = {
  ports: { list: 'map', keys: ['port', 'protocol'], patch: 'merge', mergeKey: 'port' },
  selector: { atomic: true },
}

export const ServiceStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'], patch: 'merge', mergeKey: 'type' },
}

export const Service: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ServiceSpec },
  status: { fields: ServiceStatus },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  Binding,
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
}
