// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/policy-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type {
  Condition,
  DeleteOptions,
  IntOrString,
  LabelSelector,
  ObjectMeta,
  Time,
} from './meta-v1.ts'

export interface Eviction {
  apiVersion: 'policy/v1'
  kind: 'Eviction'
  metadata?: ObjectMeta
  deleteOptions?: DeleteOptions
}

/** How many pods of an application may be evicted at a time. */
export interface PodDisruptionBudget {
  apiVersion: 'policy/v1'
  kind: 'PodDisruptionBudget'
  metadata: StoredMetadata<'Namespaced'>
  spec: PodDisruptionBudgetSpec
  status?: PodDisruptionBudgetStatus
}

export const PodDisruptionBudget: ExactKind<PodDisruptionBudget> =
  /* @__PURE__ */ defineKind<PodDisruptionBudget>({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    singular: 'poddisruptionbudget',
    shortNames: ['pdb'],
    scope: 'Namespaced',
    subresources: ['status'],
    protobuf: messages.PodDisruptionBudget,
  })

export interface PodDisruptionBudgetSpec {
  maxUnavailable?: IntOrString
  minAvailable?: IntOrString
  selector?: LabelSelector
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget'
}

export interface PodDisruptionBudgetStatus {
  conditions?: Condition[]
  currentHealthy?: number
  desiredHealthy?: number
  disruptedPods?: Record<string, Time>
  disruptionsAllowed?: number
  expectedPods?: number
  observedGeneration?: number
}
