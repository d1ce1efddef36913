// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/resource-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { NodeSelector } from './core-v1.ts'
import type { Condition, ObjectMeta, Quantity, RawExtension, Time } from './meta-v1.ts'

export interface AllocatedDeviceStatus {
  conditions?: Condition[] | null
  data?: RawExtension
  device: string
  driver: string
  networkData?: NetworkDeviceData
  pool: string
  shareID?: string
}

export interface AllocationResult {
  allocationTimestamp?: Time
  devices?: DeviceAllocationResult
  nodeSelector?: NodeSelector
}

export interface CELDeviceSelector {
  expression: string
}

export interface CapacityRequestPolicy {
  default?: Quantity | null
  validRange?: CapacityRequestPolicyRange
  validValues?: Quantity[]
}

export interface CapacityRequestPolicyRange {
  max?: Quantity
  min: Quantity
  step?: Quantity
}

export interface CapacityRequirements {
  requests?: Record<string, Quantity>
}

export interface Counter {
  value: Quantity
}

export interface CounterSet {
  counters: Record<string, Counter>
  name: string
}

export interface Device {
  allNodes?: boolean
  allowMultipleAllocations?: boolean
  attributes?: Record<string, DeviceAttribute>
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  bindsToNode?: boolean
  capacity?: Record<string, DeviceCapacity>
  consumesCounters?: DeviceCounterConsumption[]
  name: string
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>
  nodeName?: string
  nodeSelector?: NodeSelector
  taints?: DeviceTaint[]
}

export interface DeviceAllocationConfiguration {
  opaque?: OpaqueDeviceConfiguration
  requests?: string[]
  source: 'FromClaim' | 'FromClass'
}

export interface DeviceAllocationResult {
  config?: DeviceAllocationConfiguration[]
  results?: DeviceRequestAllocationResult[]
}

export interface DeviceAttribute {
  bool?: boolean
  bools?: boolean[]
  int?: number
  ints?: number[]
  string?: string
  strings?: string[]
  version?: string
  versions?: string[]
}

export interface DeviceCapacity {
  requestPolicy?: CapacityRequestPolicy
  value: Quantity
}

export interface DeviceClaim {
  config?: DeviceClaimConfiguration[]
  constraints?: DeviceConstraint[]
  requests?: DeviceRequest[] | null
}

export interface DeviceClaimConfiguration {
  opaque?: OpaqueDeviceConfiguration
  requests?: string[]
}

/** A class of devices that claims can request, with its selectors and settings. */
export interface DeviceClass {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'DeviceClass'
  metadata: StoredMetadata<'Cluster'>
  spec: DeviceClassSpec
}

export const DeviceClass: ExactKind<DeviceClass> = /* @__PURE__ */ defineKind<DeviceClass>({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  plural: 'deviceclasses',
  singular: 'deviceclass',
  scope: 'Cluster',
  protobuf: messages.DeviceClass,
})

export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration
}

export interface DeviceClassSpec {
  config?: DeviceClassConfiguration[]
  extendedResourceName?: string
  selectors?: DeviceSelector[]
}

export interface DeviceConstraint {
  distinctAttribute?: string
  matchAttribute?: string
  requests?: string[]
}

export interface DeviceCounterConsumption {
  counterSet: string
  counters: Record<string, Counter>
}

export interface DeviceRequest {
  exactly?: ExactDeviceRequest
  firstAvailable?: DeviceSubRequest[]
  name: string
}

export interface DeviceRequestAllocationResult {
  adminAccess?: boolean
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  consumedCapacity?: Record<string, Quantity>
  device: string
  driver: string
  pool: string
  request: string
  shareID?: string
  tolerations?: DeviceToleration[]
}

export interface DeviceSelector {
  cel?: CELDeviceSelector
}

export interface DeviceSubRequest {
  allocationMode?: 'All' | 'ExactCount'
  capacity?: CapacityRequirements
  count?: number
  deviceClassName: string
  name: string
  selectors?: DeviceSelector[]
  tolerations?: DeviceToleration[]
}

export interface DeviceTaint {
  effect: 'NoExecute' | 'NoSchedule' | 'None'
  key: string
  timeAdded?: Time
  value?: string
}

export interface DeviceToleration {
  effect?: 'NoExecute' | 'NoSchedule' | 'None'
  key?: string
  operator?: 'Equal' | 'Exists'
  tolerationSeconds?: number
  value?: string
}

export interface ExactDeviceRequest {
  adminAccess?: boolean
  allocationMode?: 'All' | 'ExactCount'
  capacity?: CapacityRequirements
  count?: number
  deviceClassName: string
  selectors?: DeviceSelector[]
  tolerations?: DeviceToleration[]
}

export interface NetworkDeviceData {
  hardwareAddress?: string
  interfaceName?: string
  ips?: string[]
}

export interface NodeAllocatableResourceMapping {
  allocationMultiplier?: Quantity
  capacityKey?: string
}

export interface OpaqueDeviceConfiguration {
  driver: string
  parameters: RawExtension
}

/** Requests devices; pods refer to it. */
export interface ResourceClaim {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'ResourceClaim'
  metadata: StoredMetadata<'Namespaced'>
  spec: ResourceClaimSpec
  status?: ResourceClaimStatus
}

export const ResourceClaim: ExactKind<ResourceClaim> = /* @__PURE__ */ defineKind<ResourceClaim>({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  scope: 'Namespaced',
  subresources: ['status'],
  protobuf: messages.ResourceClaim,
})

export interface ResourceClaimConsumerReference {
  apiGroup?: string
  name: string
  resource: string
  uid: string
}

export interface ResourceClaimSpec {
  devices?: DeviceClaim
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult
  devices?: AllocatedDeviceStatus[]
  reservedFor?: ResourceClaimConsumerReference[]
}

/** Creates a ResourceClaim for each pod that refers to it. */
export interface ResourceClaimTemplate {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'ResourceClaimTemplate'
  metadata: StoredMetadata<'Namespaced'>
  spec: ResourceClaimTemplateSpec
}

export const ResourceClaimTemplate: ExactKind<ResourceClaimTemplate> =
  /* @__PURE__ */ defineKind<ResourceClaimTemplate>({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    singular: 'resourceclaimtemplate',
    scope: 'Namespaced',
    protobuf: messages.ResourceClaimTemplate,
  })

export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta
  spec: ResourceClaimSpec
}

export interface ResourcePool {
  generation: number
  name: string
  resourceSliceCount: number
}

/** Devices that a driver offers on some nodes. */
export interface ResourceSlice {
  apiVersion: 'resource.k8s.io/v1'
  kind: 'ResourceSlice'
  metadata: StoredMetadata<'Cluster'>
  spec: ResourceSliceSpec
}

export const ResourceSlice: ExactKind<ResourceSlice> = /* @__PURE__ */ defineKind<ResourceSlice>({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  scope: 'Cluster',
  protobuf: messages.ResourceSlice,
})

export interface ResourceSliceSpec {
  allNodes?: boolean
  devices?: Device[]
  driver: string
  nodeName?: string
  nodeSelector?: NodeSelector
  perDeviceNodeSelection?: boolean
  pool: ResourcePool
  sharedCounters?: CounterSet[]
}
