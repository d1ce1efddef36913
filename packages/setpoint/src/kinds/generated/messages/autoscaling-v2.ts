// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const CrossVersionObjectReference: MessageTable = ['kind:! name:! apiVersion']

export const MetricTarget: MessageTable = ['type:! value:?q averageValue:?q averageUtilization:?i']

export const MetricIdentifier: MessageTable = ['name:! selector:?m', metaV1.LabelSelector]

export const HPAScalingRules: MessageTable = ['selectPolicy:? policies:*m stabilizationWindowSeconds:?i tolerance:?q', ['type:! value:!i periodSeconds:!i']]

export const MetricValueStatus: MessageTable = ['value:?q averageValue:?q averageUtilization:?i']

export const HorizontalPodAutoscaler: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['scaleTargetRef:!m minReplicas:?i maxReplicas:!i metrics:*m behavior:?m', CrossVersionObjectReference, ['type:! object:?m pods:?m resource:?m external:?m 7containerResource:?m', ['describedObject:!m target:!m metric:!m', CrossVersionObjectReference, MetricTarget, MetricIdentifier], ['metric:!m target:!m', MetricIdentifier, MetricTarget], ['name:! target:!m', MetricTarget], ['metric:!m target:!m', MetricIdentifier, MetricTarget], ['name:! target:!m container:!', MetricTarget]], ['scaleUp:?m scaleDown:?m', HPAScalingRules, HPAScalingRules]], ['observedGeneration:?i lastScaleTime:?t currentReplicas:i desiredReplicas:!i currentMetrics:!*m conditions:*m', ['type:! object:?m pods:?m resource:?m external:?m 7containerResource:?m', ['metric:!m current:!m describedObject:!m', MetricIdentifier, MetricValueStatus, CrossVersionObjectReference], ['metric:!m current:!m', MetricIdentifier, MetricValueStatus], ['name:! current:!m', MetricValueStatus], ['metric:!m current:!m', MetricIdentifier, MetricValueStatus], ['name:! current:!m container:!', MetricValueStatus]], ['type:! status:! lastTransitionTime:!t reason message']]]
