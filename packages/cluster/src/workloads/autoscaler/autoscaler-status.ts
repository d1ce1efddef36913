import type { Frozen } from 'setpoint'
import type { HorizontalPodAutoscaler, MetricStatus } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'

/** An autoscaler as controllers read it. */
export type Autoscaler = Frozen<HorizontalPodAutoscaler>

type Status = NonNullable<Autoscaler['status']>
type Condition = NonNullable<Status['conditions']>[number]

/** What an autoscaler says of itself, while it is worked out. */
export class AutoscalerStatus {
  readonly #before: Partial<Status>
  readonly #nowMs: number
  #conditions: readonly Condition[]

  constructor({ status }: Autoscaler, nowMs: number) {
    this.#before = status ?? {}
    this.#conditions = status?.conditions ?? []
    this.#nowMs = nowMs
  }

  /** States a condition; the time of it is that of its last change. */
  state(
    type: string,
    status: 'True' | 'False',
    said: readonly [reason: string, message: string],
  ): void {
    const [reason, message] = said
    const known = this.#conditions.find((condition) => condition.type === type)
    const lastTransitionTime =
      known?.status === status ? known.lastTransitionTime : formatTime(this.#nowMs)
    const stated = {
      ...{ type, status, reason, message },
      ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
    }
    this.#conditions =
      known === undefined
        ? [...this.#conditions, stated]
        : this.#conditions.map((condition) => (condition === known ? stated : condition))
  }

  /** With new conditions alone: nothing else could be found out. */
  unknown(): Status {
    const { desiredReplicas = 0, currentMetrics = null, ...rest } = this.#before
    return { ...rest, desiredReplicas, currentMetrics, conditions: this.#conditions }
  }

  /** With everything that was found out. What is wished for stays as it was unless given. */
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
