// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const CSIDriver: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['attachRequired:?b podInfoOnMount:?b volumeLifecycleModes:* storageCapacity:?b fsGroupPolicy:? tokenRequests:*m requiresRepublish:?b seLinuxMount:?b nodeAllocatableUpdatePeriodSeconds:?i serviceAccountTokenInSecrets:?b preventPodSchedulingIfMissing:?b', ['audience:! expirationSeconds:?i']]]

export const CSINode: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['drivers:!*m', ['name:! nodeID:! topologyKeys:!* allocatable:?m', ['count:?i']]]]

export const CSIStorageCapacity: MessageTable = ['metadata:!m nodeTopology:?m storageClassName:! capacity:?q maximumVolumeSize:?q', metaV1.ObjectMeta, metaV1.LabelSelector]

export const StorageClass: MessageTable = ['metadata:!m provisioner:! parameters:% reclaimPolicy:? mountOptions:* allowVolumeExpansion:?b volumeBindingMode:? allowedTopologies:*m', metaV1.ObjectMeta, ['matchLabelExpressions:*m', ['key:! values:!*']]]

export const VolumeError: MessageTable = ['time:!t message errorCode:?i']

export const VolumeAttachment: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['attacher:! source:!m nodeName:!', ['persistentVolumeName:? inlineVolumeSpec:?m', coreV1.PersistentVolumeSpec]], ['attached:!b attachmentMetadata:% attachError:?m detachError:?m', VolumeError, VolumeError]]

export const VolumeAttributesClass: MessageTable = ['metadata:!m driverName:! parameters:%', metaV1.ObjectMeta]
