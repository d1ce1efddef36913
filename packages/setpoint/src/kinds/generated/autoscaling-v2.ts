// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/autoscaling-v2.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { LabelSelector, Quantity, Time } from './meta-v1.ts'

export interface ContainerResourceMetricSource {
  container: string
  name: string
  target: MetricTarget
}

export interface ContainerResourceMetricStatus {
  container: string
  current: MetricValueStatus
  name: string
}

export interface CrossVersionObjectReference {
  apiVersion?: string
  kind: string
  name: string
}

export interface ExternalMetricSource {
  metric: MetricIdentifier
  target: MetricTarget
}

export interface ExternalMetricStatus {
  current: MetricValueStatus
  metric: MetricIdentifier
}

export interface HPAScalingPolicy {
  periodSeconds: number
  type: string
  value: number
}

export interface HPAScalingRules {
  policies?: HPAScalingPolicy[]
  selectPolicy?: string
  stabilizationWindowSeconds?: number
  tolerance?: Quantity
}

/** Changes the scale of a workload to keep metrics at their targets. */
export interface HorizontalPodAutoscaler {
  apiVersion: 'autoscaling/v2'
  kind: 'HorizontalPodAutoscaler'
  metadata: StoredMetadata<'Namespaced'>
  spec: HorizontalPodAutoscalerSpec
  status?: HorizontalPodAutoscalerStatus
}

export const HorizontalPodAutoscaler: ExactKind<HorizontalPodAutoscaler> =
  /* @__PURE__ */ defineKind<HorizontalPodAutoscaler>({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    singular: 'horizontalpodautoscaler',
    shortNames: ['hpa'],
    scope: 'Namespaced',
    subresources: ['status'],
    protobuf: messages.HorizontalPodAutoscaler,
  })

export interface HorizontalPodAutoscalerBehavior {
  scaleDown?: HPAScalingRules
  scaleUp?: HPAScalingRules
}

export interface HorizontalPodAutoscalerCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface HorizontalPodAutoscalerSpec {
  behavior?: HorizontalPodAutoscalerBehavior
  maxReplicas: number
  metrics?: MetricSpec[]
  minReplicas?: number
  scaleTargetRef: CrossVersionObjectReference
}

export interface HorizontalPodAutoscalerStatus {
  conditions?: HorizontalPodAutoscalerCondition[]
  currentMetrics?: MetricStatus[] | null
  currentReplicas?: number
  desiredReplicas: number
  lastScaleTime?: Time
  observedGeneration?: number
}

export interface MetricIdentifier {
  name: string
  selector?: LabelSelector
}

export interface MetricSpec {
  containerResource?: ContainerResourceMetricSource
  external?: ExternalMetricSource
  object?: ObjectMetricSource
  pods?: PodsMetricSource
  resource?: ResourceMetricSource
  type: string
}

export interface MetricStatus {
  containerResource?: ContainerResourceMetricStatus
  external?: ExternalMetricStatus
  object?: ObjectMetricStatus
  pods?: PodsMetricStatus
  resource?: ResourceMetricStatus
  type: string
}

export interface MetricTarget {
  averageUtilization?: number
  averageValue?: Quantity
  type: string
  value?: Quantity
}

export interface MetricValueStatus {
  averageUtilization?: number
  averageValue?: Quantity
  value?: Quantity
}

export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference
  metric: MetricIdentifier
  target: MetricTarget
}

export interface ObjectMetricStatus {
  current: MetricValueStatus
  describedObject: CrossVersionObjectReference
  metric: MetricIdentifier
}

export interface PodsMetricSource {
  metric: MetricIdentifier
  target: MetricTarget
}

export interface PodsMetricStatus {
  current: MetricValueStatus
  metric: MetricIdentifier
}

export interface ResourceMetricSource {
  name: string
  target: MetricTarget
}

export interface ResourceMetricStatus {
  current: MetricValueStatus
  name: string
}
