// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/apps-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { Manifest } from '../manifest.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { PersistentVolumeClaim, PodTemplateSpec } from './core-v1.ts'
import type { IntOrString, LabelSelector, RawExtension, Time } from './meta-v1.ts'

/** A frozen template that StatefulSets and DaemonSets roll back to. */
export interface ControllerRevision {
  apiVersion: 'apps/v1'
  kind: 'ControllerRevision'
  metadata: StoredMetadata<'Namespaced'>
  data?: RawExtension
  revision: number
}

export const ControllerRevision: ExactKind<ControllerRevision> =
  /* @__PURE__ */ defineKind<ControllerRevision>({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    singular: 'controllerrevision',
    scope: 'Namespaced',
    protobuf: messages.ControllerRevision,
  })

/** Runs one pod on every node that fits. */
export interface DaemonSet {
  apiVersion: 'apps/v1'
  kind: 'DaemonSet'
  metadata: StoredMetadata<'Namespaced'>
  spec: DaemonSetSpec
  status?: DaemonSetStatus
}

export const DaemonSet: ExactKind<DaemonSet> = /* @__PURE__ */ defineKind<DaemonSet>({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  singular: 'daemonset',
  shortNames: ['ds'],
  scope: 'Namespaced',
  subresources: ['status'],
  protobuf: messages.DaemonSet,
})

export interface DaemonSetCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface DaemonSetSpec {
  minReadySeconds?: number
  revisionHistoryLimit?: number
  selector: LabelSelector
  template: PodTemplateSpec
  updateStrategy?: DaemonSetUpdateStrategy
}

export interface DaemonSetStatus {
  collisionCount?: number
  conditions?: DaemonSetCondition[]
  currentNumberScheduled: number
  desiredNumberScheduled: number
  numberAvailable?: number
  numberMisscheduled: number
  numberReady: number
  numberUnavailable?: number
  observedGeneration?: number
  updatedNumberScheduled?: number
}

export interface DaemonSetUpdateStrategy {
  rollingUpdate?: RollingUpdateDaemonSet
  type?: 'OnDelete' | 'RollingUpdate'
}

/**
 * Keeps a number of identical pods running and replaces them step by step when the template
 * changes.
 */
export interface Deployment {
  apiVersion: 'apps/v1'
  kind: 'Deployment'
  metadata: StoredMetadata<'Namespaced'>
  spec: DeploymentSpec
  status?: DeploymentStatus
}

export const Deployment: ExactKind<Deployment> = /* @__PURE__ */ defineKind<Deployment>({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  shortNames: ['deploy'],
  scope: 'Namespaced',
  subresources: ['scale', 'status'],
  protobuf: messages.Deployment,
})

export interface DeploymentCondition {
  lastTransitionTime?: Time | null
  lastUpdateTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface DeploymentSpec {
  minReadySeconds?: number
  paused?: boolean
  progressDeadlineSeconds?: number
  replicas?: number
  revisionHistoryLimit?: number
  selector: LabelSelector
  strategy?: DeploymentStrategy
  template: PodTemplateSpec
}

export interface DeploymentStatus {
  availableReplicas?: number
  collisionCount?: number
  conditions?: DeploymentCondition[]
  observedGeneration?: number
  readyReplicas?: number
  replicas?: number
  terminatingReplicas?: number
  unavailableReplicas?: number
  updatedReplicas?: number
}

export interface DeploymentStrategy {
  rollingUpdate?: RollingUpdateDeployment
  type?: 'Recreate' | 'RollingUpdate'
}

/** Keeps a number of identical pods running; usually one revision of a Deployment. */
export interface ReplicaSet {
  apiVersion: 'apps/v1'
  kind: 'ReplicaSet'
  metadata: StoredMetadata<'Namespaced'>
  spec: ReplicaSetSpec
  status?: ReplicaSetStatus
}

export const ReplicaSet: ExactKind<ReplicaSet> = /* @__PURE__ */ defineKind<ReplicaSet>({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  singular: 'replicaset',
  shortNames: ['rs'],
  scope: 'Namespaced',
  subresources: ['scale', 'status'],
  protobuf: messages.ReplicaSet,
})

export interface ReplicaSetCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface ReplicaSetSpec {
  minReadySeconds?: number
  replicas?: number
  selector: LabelSelector
  template?: PodTemplateSpec
}

export interface ReplicaSetStatus {
  availableReplicas?: number
  conditions?: ReplicaSetCondition[]
  fullyLabeledReplicas?: number
  observedGeneration?: number
  readyReplicas?: number
  replicas: number
  terminatingReplicas?: number
}

export interface RollingUpdateDaemonSet {
  maxSurge?: IntOrString
  maxUnavailable?: IntOrString
}

export interface RollingUpdateDeployment {
  maxSurge?: IntOrString
  maxUnavailable?: IntOrString
}

export interface RollingUpdateStatefulSetStrategy {
  maxUnavailable?: IntOrString
  partition?: number
}

/** Runs pods with stable names and their own volumes, started and updated in order. */
export interface StatefulSet {
  apiVersion: 'apps/v1'
  kind: 'StatefulSet'
  metadata: StoredMetadata<'Namespaced'>
  spec: StatefulSetSpec
  status?: StatefulSetStatus
}

export const StatefulSet: ExactKind<StatefulSet> = /* @__PURE__ */ defineKind<StatefulSet>({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  singular: 'statefulset',
  shortNames: ['sts'],
  scope: 'Namespaced',
  subresources: ['scale', 'status'],
  protobuf: messages.StatefulSet,
})

export interface StatefulSetCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface StatefulSetOrdinals {
  start?: number
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string
  whenScaled?: string
}

export interface StatefulSetSpec {
  minReadySeconds?: number
  ordinals?: StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy
  podManagementPolicy?: 'OrderedReady' | 'Parallel'
  replicas?: number
  revisionHistoryLimit?: number
  selector: LabelSelector
  serviceName?: string
  template: PodTemplateSpec
  updateStrategy?: StatefulSetUpdateStrategy
  volumeClaimTemplates?: Manifest<PersistentVolumeClaim>[]
}

export interface StatefulSetStatus {
  availableReplicas?: number
  collisionCount?: number
  conditions?: StatefulSetCondition[]
  currentReplicas?: number
  currentRevision?: string
  observedGeneration?: number
  readyReplicas?: number
  replicas: number
  updateRevision?: string
  updatedReplicas?: number
}

export interface StatefulSetUpdateStrategy {
  rollingUpdate?: RollingUpdateStatefulSetStrategy
  type?: 'OnDelete' | 'RollingUpdate'
}
