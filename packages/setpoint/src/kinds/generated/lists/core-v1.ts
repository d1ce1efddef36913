// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const ComponentStatus: ListTable = ['conditions:lmap,ktype']

export const Namespace: ListTable = ['status:f', ['conditions:lmap,ktype']]

export const Node: ListTable = ['spec:f status:f', ['podCIDRs:lset'], ['addresses:lmap,ktype conditions:lmap,ktype']]

export const PersistentVolumeClaim: ListTable = ['status:f', ['conditions:lmap,ktype']]

export const ResourceRequirements: ListTable = ['claims:lmap,kname']

export const Container: ListTable = ['env:lmap,kname ports:lmap,kcontainerPort,kprotocol resources:f volumeDevices:lmap,kdevicePath volumeMounts:lmap,kmountPath', ResourceRequirements]

export const PodSpec: ListTable = ['containers:lmap,kname,if ephemeralContainers:lmap,kname,if hostAliases:lmap,kip imagePullSecrets:lmap,kname initContainers:lmap,kname,if nodeSelector:a resourceClaims:lmap,kname resources:f schedulingGates:lmap,kname topologySpreadConstraints:lmap,ktopologyKey,kwhenUnsatisfiable volumes:lmap,kname,if', Container, ['env:lmap,kname ports:lmap,kcontainerPort,kprotocol resources:f volumeDevices:lmap,kdevicePath volumeMounts:lmap,kmountPath', ResourceRequirements], Container, ResourceRequirements, ['ephemeral:f', ['volumeClaimTemplate:f', ['metadata:f', metaV1.ObjectMeta]]]]

export const Pod: ListTable = ['spec:f status:f', PodSpec, ['conditions:lmap,ktype podIPs:lmap,kip resourceClaimStatuses:lmap,kname resources:f', ResourceRequirements]]

export const PodTemplateSpec: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, PodSpec]

export const PodTemplate: ListTable = ['template:f', PodTemplateSpec]

export const ReplicationController: ListTable = ['spec:f status:f', ['selector:a template:f', PodTemplateSpec], ['conditions:lmap,ktype']]

export const ServiceAccount: ListTable = ['secrets:lmap,kname']

export const Service: ListTable = ['spec:f status:f', ['ports:lmap,kport,kprotocol selector:a'], ['conditions:lmap,ktype']]

export const listTables: Readonly<Record<string, ListTable>> = {
  ComponentStatus,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  Service,
  ServiceAccount,
}
