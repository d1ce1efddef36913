import type { Frozen } from 'setpoint'
import type { MetricSpec, MetricStatus } from 'setpoint/kinds'
import type { PodObject } from '../pods/pod-state.ts'
import type { MetricValues } from './metric-values.ts'
import type { Tolerances } from './replica-count.ts'

export type Metric = Frozen<MetricSpec>

/** The input of proposals. */
export interface MetricInput {
  readonly namespace: string
  readonly pods: readonly PodObject[]
  /** `spec.replicas` and `status.replicas` of the target. */
  readonly specReplicas: number
  readonly statusReplicas: number
  readonly values: MetricValues
  readonly tolerances: Tolerances
  readonly nowMs: number
}

/** The replicas that one metric proposes. */
export interface Proposal {
  readonly replicas: number
  /** The description of the metric in Events. */
  readonly name: string
  readonly status: Frozen<MetricStatus>
}

/**
 * Why a metric has no proposal: `reason` and `note` are for its Event, `error` is for the error of
 * the whole evaluation.
 */
export interface Failure {
  readonly reason: string
  readonly note: string
  readonly error: string
}
