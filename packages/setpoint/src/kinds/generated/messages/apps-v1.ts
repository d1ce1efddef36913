// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const ControllerRevision: MessageTable = ['metadata:!m data:!j revision:!i', metaV1.ObjectMeta]

export const DaemonSet: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['selector:!?m template:!m updateStrategy:!m minReadySeconds:i 6revisionHistoryLimit:?i', metaV1.LabelSelector, coreV1.PodTemplateSpec, ['type rollingUpdate:?m', ['maxUnavailable:?o maxSurge:?o']]], ['currentNumberScheduled:!i numberMisscheduled:!i desiredNumberScheduled:!i numberReady:!i observedGeneration:i updatedNumberScheduled:i numberAvailable:i numberUnavailable:i collisionCount:?i conditions:*m', ['type:! status:! lastTransitionTime:!t reason message']]]

export const Deployment: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['replicas:?i selector:!?m template:!m strategy:!m minReadySeconds:i revisionHistoryLimit:?i paused:b 9progressDeadlineSeconds:?i', metaV1.LabelSelector, coreV1.PodTemplateSpec, ['type rollingUpdate:?m', ['maxUnavailable:?o maxSurge:?o']]], ['observedGeneration:i replicas:i updatedReplicas:i availableReplicas:i unavailableReplicas:i conditions:*m readyReplicas:i collisionCount:?i terminatingReplicas:?i', ['type:! status:! 4reason message lastUpdateTime:!t lastTransitionTime:!t']]]

export const ReplicaSet: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['replicas:?i selector:!?m template:!m minReadySeconds:i', metaV1.LabelSelector, coreV1.PodTemplateSpec], ['replicas:!i fullyLabeledReplicas:i observedGeneration:i readyReplicas:i availableReplicas:i conditions:*m terminatingReplicas:?i', ['type:! status:! lastTransitionTime:!t reason message']]]

export const StatefulSet: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['replicas:?i selector:!?m template:!m volumeClaimTemplates:*m@v1/PersistentVolumeClaim serviceName:! podManagementPolicy updateStrategy:!m revisionHistoryLimit:?i minReadySeconds:i persistentVolumeClaimRetentionPolicy:?m ordinals:?m', metaV1.LabelSelector, coreV1.PodTemplateSpec, coreV1.PersistentVolumeClaim, ['type rollingUpdate:?m', ['partition:?i maxUnavailable:?o']], ['whenDeleted whenScaled'], ['start:!i']], ['observedGeneration:i replicas:!i readyReplicas:i currentReplicas:i updatedReplicas:i currentRevision updateRevision 9collisionCount:?i conditions:*m availableReplicas:!i', ['type:! status:! lastTransitionTime:!t reason message']]]
