// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const DeviceSelector: MessageTable = ['cel:?m', ['expression:!']]

export const DeviceConfiguration: MessageTable = ['opaque:?m', ['driver:! parameters:!j']]

export const DeviceClass: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['selectors:*m config:*m 4extendedResourceName:?', DeviceSelector, ['deviceConfiguration:^m', DeviceConfiguration]]]

export const DeviceToleration: MessageTable = ['key operator value effect tolerationSeconds:?i']

export const CapacityRequirements: MessageTable = ['requests:%q']

export const ResourceClaimSpec: MessageTable = ['devices:!m', ['requests:!*m constraints:*m config:*m', ['name:! exactly:?m firstAvailable:*m', ['deviceClassName:! selectors:*m allocationMode count:i adminAccess:?b tolerations:*m capacity:?m', DeviceSelector, DeviceToleration, CapacityRequirements], ['name:! deviceClassName:! selectors:*m allocationMode count:i tolerations:*m capacity:?m', DeviceSelector, DeviceToleration, CapacityRequirements]], ['requests:* matchAttribute:? distinctAttribute:?'], ['requests:* deviceConfiguration:^m', DeviceConfiguration]]]

export const ResourceClaim: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ResourceClaimSpec, ['allocation:?m reservedFor:*m 4devices:*m', ['devices:!m 3nodeSelector:?m 5allocationTimestamp:?t', ['results:*m config:*m', ['request:! driver:! pool:! device:! adminAccess:?b tolerations:*m bindingConditions:* bindingFailureConditions:* shareID:? consumedCapacity:%q', DeviceToleration], ['source:! requests:* deviceConfiguration:^m', DeviceConfiguration]], coreV1.NodeSelector], ['apiGroup 3resource:! name:! uid:!'], ['driver:! pool:! device:! conditions:!*m data:?j networkData:?m shareID:?', metaV1.Condition, ['interfaceName ips:* hardwareAddress']]]]

export const ResourceClaimTemplate: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['metadata:!m spec:!m', metaV1.ObjectMeta, ResourceClaimSpec]]

export const Counter: MessageTable = ['value:!q']

export const ResourceSlice: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['driver:! pool:!m nodeName:? nodeSelector:?m allNodes:?b devices:*m perDeviceNodeSelection:?b sharedCounters:*m', ['name:! generation:!i resourceSliceCount:!i'], coreV1.NodeSelector, ['name:! attributes:%m capacity:%m consumesCounters:*m nodeName:? nodeSelector:?m allNodes:?b taints:*m bindsToNode:?b bindingConditions:* bindingFailureConditions:* allowMultipleAllocations:?b nodeAllocatableResourceMappings:%m', ['2int:?i bool:?b string:? version:? ints:*i bools:*b strings:* versions:*'], ['value:!q requestPolicy:?m', ['default:!?q 3validValues:*q validRange:?m', ['min:?q max:?q step:?q']]], ['counterSet:! counters:%m', Counter], coreV1.NodeSelector, ['key:! value effect:! timeAdded:?t'], ['capacityKey:? allocationMultiplier:?q']], ['name:! counters:%m', Counter]]]
