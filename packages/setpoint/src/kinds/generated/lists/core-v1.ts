// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const ComponentStatus: ListTable = ['conditions:ktype']

export const Namespace: ListTable = ['status:f', ['conditions:ktype']]

export const Node: ListTable = ['spec:f status:f', ['podCIDRs:s'], ['addresses:ktype conditions:ktype']]

export const PersistentVolumeClaim: ListTable = ['status:f', ['conditions:ktype']]

export const ResourceRequirements: ListTable = ['claims:kname']

export const Container: ListTable = ['env:kname ports:kcontainerPort,kprotocol resources:f volumeDevices:kdevicePath volumeMounts:kmountPath', ResourceRequirements]

export const PodSpec: ListTable = ['containers:kname,if ephemeralContainers:kname,if hostAliases:kip imagePullSecrets:kname initContainers:kname,if nodeSelector:a resourceClaims:kname resources:f schedulingGates:kname topologySpreadConstraints:ktopologyKey,kwhenUnsatisfiable volumes:kname,if', Container, ['env:kname ports:kcontainerPort,kprotocol resources:f volumeDevices:kdevicePath volumeMounts:kmountPath', ResourceRequirements], Container, ResourceRequirements, ['ephemeral:f', ['volumeClaimTemplate:f', ['metadata:f', metaV1.ObjectMeta]]]]

export const Pod: ListTable = ['spec:f status:f', PodSpec, ['conditions:ktype podIPs:kip resourceClaimStatuses:kname resources:f', ResourceRequirements]]

export const PodTemplateSpec: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, PodSpec]

export const PodTemplate: ListTable = ['template:f', PodTemplateSpec]

export const ReplicationController: ListTable = ['spec:f status:f', ['selector:a template:f', PodTemplateSpec], ['conditions:ktype']]

export const ServiceAccount: ListTable = ['secrets:kname']

export const Service: ListTable = ['spec:f status:f', ['ports:kport,kprotocol selector:a'], ['conditions:ktype']]

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
