// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/autoscaling-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { ObjectMeta, Time } from './meta-v1.ts'

export interface CrossVersionObjectReferenceV1 {
  apiVersion?: string
  kind: string
  name: string
}

export interface HorizontalPodAutoscalerSpecV1 {
  maxReplicas: number
  minReplicas?: number
  scaleTargetRef: CrossVersionObjectReferenceV1
  targetCPUUtilizationPercentage?: number
}

export interface HorizontalPodAutoscalerStatusV1 {
  currentCPUUtilizationPercentage?: number
  currentReplicas: number
  desiredReplicas: number
  lastScaleTime?: Time
  observedGeneration?: number
}

/** The `autoscaling/v1` form of the same objects: CPU only. */
export interface HorizontalPodAutoscalerV1 {
  apiVersion: 'autoscaling/v1'
  kind: 'HorizontalPodAutoscaler'
  metadata: StoredMetadata<'Namespaced'>
  spec: HorizontalPodAutoscalerSpecV1
  status?: HorizontalPodAutoscalerStatusV1
}

export const HorizontalPodAutoscalerV1: ExactKind<HorizontalPodAutoscalerV1> =
  /* @__PURE__ */ defineKind<HorizontalPodAutoscalerV1>({
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    singular: 'horizontalpodautoscaler',
    shortNames: ['hpa'],
    scope: 'Namespaced',
    subresources: ['status'],
    protobuf: messages.HorizontalPodAutoscaler,
  })

export interface Scale {
  apiVersion: 'autoscaling/v1'
  kind: 'Scale'
  metadata?: ObjectMeta
  spec?: ScaleSpec
  status?: ScaleStatus
}

export interface ScaleSpec {
  replicas?: number
}

export interface ScaleStatus {
  replicas: number
  selector?: string
}
