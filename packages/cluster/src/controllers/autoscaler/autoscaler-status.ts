import type { Frozen } from 'setpoint'
import type { HorizontalPodAutoscaler, MetricStatus } from 'setpoint/kinds'
import { formatTime, upsertCondition } from '../../object/index.ts'

export type Autoscaler = Frozen<HorizontalPodAutoscaler>

type Status = NonNullable<Autoscaler['status']>
type Condition = NonNullable<Status['conditions']>[number]

/** Builds the status of an autoscaler. */
export class AutoscalerStatus {
  readonly #before: Partial<Status>
  readonly #nowMs: number
  #conditions: readonly Condition[]

  constructor({ status }: Autoscaler, nowMs: number) {
    this.#before = status ?? {}
    this.#conditions = status?.conditions ?? []
    this.#nowMs = nowMs
  }

  /** Sets a condition. lastTransitionTime changes only with the status. */
  state(
    type: string,
    status: 'True' | 'False',
    reasonAndMessage: readonly [reason: string, message: string],
  ): void {
    const [reason, message] = reasonAndMessage
    const known = this.#conditions.find((condition) => condition.type === type)
    const lastTransitionTime =
      known?.status === status ? known.lastTransitionTime : formatTime(this.#nowMs)
    const update = {
      type,
      status,
      reason,
      message,
      ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
    }
    this.#conditions = upsertCondition(this.#conditions, update)
  }

  /** The status with only the conditions updated: the scale is unknown. */
  unknown(): Status {
    const { desiredReplicas = 0, currentMetrics = null, ...rest } = this.#before
    return { ...rest, desiredReplicas, currentMetrics, conditions: this.#conditions }
  }

  /** The complete status. The desired replicas stay unchanged unless given. */
  known(found: {
    readonly current: number
    readonly desired?: number
    readonly metrics: readonly Frozen<MetricStatus>[] | undefined
    readonly hasScaled?: boolean
  }): Status {
    const {
      current,
      desired = this.#before.desiredReplicas ?? 0,
      metrics,
      hasScaled = false,
    } = found
    const lastScaleTime = hasScaled ? formatTime(this.#nowMs) : this.#before.lastScaleTime
    return {
      ...(current === 0 ? {} : { currentReplicas: current }),
      desiredReplicas: desired,
      currentMetrics: metrics ?? null,
      conditions: this.#conditions,
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    }
  }
}
