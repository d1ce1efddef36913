import type { Frozen } from 'setpoint'
import type { MetricSpec, MetricStatus } from 'setpoint/kinds'
import type { PodObject } from '../pods/pod-state.ts'
import type { MetricValues } from './metric-values.ts'
import type { Tolerances } from './replica-count.ts'

/** A metric as an autoscaler names it. */
export type Metric = Frozen<MetricSpec>

/** What proposals are made from. */
export interface Situation {
  readonly namespace: string
  readonly pods: readonly PodObject[]
  /** How many replicas the target wants, and how many it has. */
  readonly wanted: number
  readonly actual: number
  readonly values: MetricValues
  readonly tolerances: Tolerances
  readonly nowMs: number
}

/** How many replicas one metric asks for. */
export interface Proposal {
  readonly replicas: number
  /** What it is called when it is the reason of a change. */
  readonly name: string
  readonly status: Frozen<MetricStatus>
}

/** Why a metric asks for nothing: `reason` and `note` are for an Event, `error` is what the whole is said to have failed by. */
export interface Failure {
  readonly reason: string
  readonly note: string
  readonly error: string
}
