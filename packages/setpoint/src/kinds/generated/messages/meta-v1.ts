// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'

export const ObjectMeta: MessageTable = ['name generateName namespace selfLink uid resourceVersion generation:i creationTimestamp:t deletionTimestamp:?t deletionGracePeriodSeconds:?i labels:% annotations:% ownerReferences:*m finalizers:* 17managedFields:*m', ['kind:! 3name:! uid:! apiVersion:! controller:?b blockOwnerDeletion:?b'], ['manager operation apiVersion time:?t 6fieldsType fieldsV1:?j subresource']]

export const PartialObjectMetadata: MessageTable = ['metadata:!m', ObjectMeta]

export const Status: MessageTable = ['metadata:!m status message reason details:?m code:i', ['selfLink resourceVersion continue remainingItemCount:?i shardInfo:?m', ['selector:!']], ['name group kind causes:*m retryAfterSeconds:i uid', ['reason message field']]]

export const LabelSelector: MessageTable = ['matchLabels:% matchExpressions:*m', ['key:! operator:! values:*']]

export const Condition: MessageTable = ['type:! status:! observedGeneration:i lastTransitionTime:!t reason:! message:!']
