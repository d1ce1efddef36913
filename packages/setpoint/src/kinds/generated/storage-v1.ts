// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/storage-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { PersistentVolumeSpec, TopologySelectorTerm } from './core-v1.ts'
import type { LabelSelector, Quantity, Time } from './meta-v1.ts'

/** Describes the capabilities and requirements of a storage driver. */
export interface CSIDriver {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'CSIDriver'
  metadata: StoredMetadata<'Cluster'>
  spec: CSIDriverSpec
}

export const CSIDriver: ExactKind<CSIDriver> = /* @__PURE__ */ defineKind<CSIDriver>({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  singular: 'csidriver',
  scope: 'Cluster',
  protobuf: messages.CSIDriver,
})

export interface CSIDriverSpec {
  attachRequired?: boolean
  fsGroupPolicy?: string
  nodeAllocatableUpdatePeriodSeconds?: number
  podInfoOnMount?: boolean
  preventPodSchedulingIfMissing?: boolean
  requiresRepublish?: boolean
  seLinuxMount?: boolean
  serviceAccountTokenInSecrets?: boolean
  storageCapacity?: boolean
  tokenRequests?: StorageTokenRequest[]
  volumeLifecycleModes?: string[]
}

/** Lists the storage drivers of one node; maintained by the kubelet. */
export interface CSINode {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'CSINode'
  metadata: StoredMetadata<'Cluster'>
  spec: CSINodeSpec
}

export const CSINode: ExactKind<CSINode> = /* @__PURE__ */ defineKind<CSINode>({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  plural: 'csinodes',
  singular: 'csinode',
  scope: 'Cluster',
  protobuf: messages.CSINode,
})

export interface CSINodeDriver {
  allocatable?: VolumeNodeResources
  name: string
  nodeID: string
  topologyKeys?: string[] | null
}

export interface CSINodeSpec {
  drivers: CSINodeDriver[] | null
}

/** The available capacity of a storage class in one part of the cluster. */
export interface CSIStorageCapacity {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'CSIStorageCapacity'
  metadata: StoredMetadata<'Namespaced'>
  capacity?: Quantity
  maximumVolumeSize?: Quantity
  nodeTopology?: LabelSelector
  storageClassName: string
}

export const CSIStorageCapacity: ExactKind<CSIStorageCapacity> =
  /* @__PURE__ */ defineKind<CSIStorageCapacity>({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    plural: 'csistoragecapacities',
    singular: 'csistoragecapacity',
    scope: 'Namespaced',
    protobuf: messages.CSIStorageCapacity,
  })

/** How volumes are provisioned for the claims that name it. */
export interface StorageClass {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'StorageClass'
  metadata: StoredMetadata<'Cluster'>
  allowVolumeExpansion?: boolean
  allowedTopologies?: TopologySelectorTerm[]
  mountOptions?: string[]
  parameters?: Record<string, string>
  provisioner: string
  reclaimPolicy?: 'Delete' | 'Recycle' | 'Retain'
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer'
}

export const StorageClass: ExactKind<StorageClass> = /* @__PURE__ */ defineKind<StorageClass>({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  singular: 'storageclass',
  shortNames: ['sc'],
  scope: 'Cluster',
  protobuf: messages.StorageClass,
})

export interface StorageTokenRequest {
  audience: string
  expirationSeconds?: number
}

/** Requests and reports that a volume is attached to a node. */
export interface VolumeAttachment {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'VolumeAttachment'
  metadata: StoredMetadata<'Cluster'>
  spec: VolumeAttachmentSpec
  status?: VolumeAttachmentStatus
}

export const VolumeAttachment: ExactKind<VolumeAttachment> =
  /* @__PURE__ */ defineKind<VolumeAttachment>({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    plural: 'volumeattachments',
    singular: 'volumeattachment',
    scope: 'Cluster',
    subresources: ['status'],
    protobuf: messages.VolumeAttachment,
  })

export interface VolumeAttachmentSource {
  inlineVolumeSpec?: PersistentVolumeSpec
  persistentVolumeName?: string
}

export interface VolumeAttachmentSpec {
  attacher: string
  nodeName: string
  source: VolumeAttachmentSource
}

export interface VolumeAttachmentStatus {
  attachError?: VolumeError
  attached: boolean
  attachmentMetadata?: Record<string, string>
  detachError?: VolumeError
}

/** Settings of a volume that can be changed while it exists. */
export interface VolumeAttributesClass {
  apiVersion: 'storage.k8s.io/v1'
  kind: 'VolumeAttributesClass'
  metadata: StoredMetadata<'Cluster'>
  driverName: string
  parameters?: Record<string, string>
}

export const VolumeAttributesClass: ExactKind<VolumeAttributesClass> =
  /* @__PURE__ */ defineKind<VolumeAttributesClass>({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    singular: 'volumeattributesclass',
    shortNames: ['vac'],
    scope: 'Cluster',
    protobuf: messages.VolumeAttributesClass,
  })

export interface VolumeError {
  errorCode?: number
  message?: string
  time?: Time | null
}

export interface VolumeNodeResources {
  count?: number
}
