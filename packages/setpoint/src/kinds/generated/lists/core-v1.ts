// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const Binding: ListTable = ['metadata:f target:a', metaV1.ObjectMeta]

export const ComponentStatus: ListTable = ['conditions:lmap,ktype,pmerge,gtype metadata:f', metaV1.ObjectMeta]

export const ConfigMap: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const Endpoints: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const Event: ListTable = ['involvedObject:a metadata:f related:a', metaV1.ObjectMeta]

export const LimitRange: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const Namespace: ListTable = ['metadata:f status:f', metaV1.ObjectMeta, ['conditions:lmap,ktype,pmerge,gtype']]

export const Node: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['podCIDRs:lset,pmerge'], ['addresses:lmap,ktype,pmerge,gtype conditions:lmap,ktype,pmerge,gtype']]

export const PersistentVolumeClaimSpec: ListTable = ['dataSource:a selector:a']

export const PersistentVolumeClaim: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, PersistentVolumeClaimSpec, ['conditions:lmap,ktype,pmerge,gtype']]

export const PersistentVolumeSpec: ListTable = ['cephfs:f cinder:f csi:f flexVolume:f iscsi:f nodeAffinity:f rbd:f scaleIO:f storageos:f', ['secretRef:a'], ['secretRef:a'], ['controllerExpandSecretRef:a controllerPublishSecretRef:a nodeExpandSecretRef:a nodePublishSecretRef:a nodeStageSecretRef:a'], ['secretRef:a'], ['secretRef:a'], ['required:a'], ['secretRef:a'], ['secretRef:a'], ['secretRef:a']]

export const PersistentVolume: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, PersistentVolumeSpec]

export const EnvVar: ListTable = ['valueFrom:f', ['configMapKeyRef:a fieldRef:a fileKeyRef:a resourceFieldRef:a secretKeyRef:a']]

export const ResourceRequirements: ListTable = ['claims:lmap,kname']

export const Container: ListTable = ['env:lmap,kname,pmerge,gname,if ports:lmap,kcontainerPort,kprotocol,pmerge,gcontainerPort resources:f volumeDevices:lmap,kdevicePath,pmerge,gdevicePath volumeMounts:lmap,kmountPath,pmerge,gmountPath', EnvVar, ResourceRequirements]

export const PodSpec: ListTable = ['affinity:f containers:lmap,kname,pmerge,gname,if ephemeralContainers:lmap,kname,pmerge,gname,if hostAliases:lmap,kip,pmerge,gip imagePullSecrets:lmap,kname,pmerge,gname,ia initContainers:lmap,kname,pmerge,gname,if nodeSelector:a resourceClaims:lmap,kname,pmerge+retainKeys,gname resources:f schedulingGates:lmap,kname,pmerge,gname topologySpreadConstraints:lmap,ktopologyKey,kwhenUnsatisfiable,pmerge,gtopologyKey,if volumes:lmap,kname,pmerge+retainKeys,gname,if', ['nodeAffinity:f', ['requiredDuringSchedulingIgnoredDuringExecution:a']], Container, ['env:lmap,kname,pmerge,gname,if ports:lmap,kcontainerPort,kprotocol,pmerge,gcontainerPort resources:f volumeDevices:lmap,kdevicePath,pmerge,gdevicePath volumeMounts:lmap,kmountPath,pmerge,gmountPath', EnvVar, ResourceRequirements], Container, ResourceRequirements, ['labelSelector:a'], ['cephfs:f cinder:f csi:f ephemeral:f flexVolume:f iscsi:f rbd:f scaleIO:f storageos:f', ['secretRef:a'], ['secretRef:a'], ['nodePublishSecretRef:a'], ['volumeClaimTemplate:f', ['metadata:f spec:f', metaV1.ObjectMeta, PersistentVolumeClaimSpec]], ['secretRef:a'], ['secretRef:a'], ['secretRef:a'], ['secretRef:a'], ['secretRef:a']]]

export const Pod: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, PodSpec, ['conditions:lmap,ktype,pmerge,gtype hostIPs:pmerge,gip podIPs:lmap,kip,pmerge,gip resourceClaimStatuses:lmap,kname,pmerge+retainKeys,gname resources:f', ResourceRequirements]]

export const PodTemplateSpec: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, PodSpec]

export const PodTemplate: ListTable = ['metadata:f template:f', metaV1.ObjectMeta, PodTemplateSpec]

export const ReplicationController: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['selector:a template:f', PodTemplateSpec], ['conditions:lmap,ktype,pmerge,gtype']]

export const ResourceQuota: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['scopeSelector:a']]

export const Secret: ListTable = ['metadata:f', metaV1.ObjectMeta]

export const ServiceAccount: ListTable = ['metadata:f secrets:lmap,kname,pmerge,gname,ia', metaV1.ObjectMeta]

export const Service: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['ports:lmap,kport,kprotocol,pmerge,gport selector:a'], ['conditions:lmap,ktype,pmerge,gtype']]

export const listTables: Readonly<Record<string, ListTable>> = {
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
