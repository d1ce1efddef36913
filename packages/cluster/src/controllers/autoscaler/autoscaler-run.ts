import type { Frozen, ReconcileContext } from 'setpoint'
import {
  Pod,
  type CustomResourceDefinition,
  type HorizontalPodAutoscaler,
  type MetricStatus,
} from 'setpoint/kinds'
import { parseQuantity } from '../../codec/index.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { AutoscalerStatus, type Autoscaler } from './autoscaler-status.ts'
import { proposalOf } from './metric-proposal.ts'
import { metricValues } from './metric-values.ts'
import type { Failure, Proposal } from './proposal.ts'
import type { Tolerances } from './replica-count.ts'
import { readTarget, TargetError, writeTarget, type ScaleTarget } from './scale-target.ts'
import { limitRecommendation } from './scaling-limits.ts'
import type { RecommendationHistory } from './recommendation-history.ts'

type RunContext = ReconcileContext<
  typeof HorizontalPodAutoscaler | typeof CustomResourceDefinition,
  never,
  typeof HorizontalPodAutoscaler
>

/** The dependencies of a reconcile. */
interface RunParts {
  readonly ctx: RunContext
  readonly memory: RecommendationHistory
  /** Other autoscalers of the namespace, with the selectors of their pods. */
  readonly others: readonly { readonly name: string; readonly selector: string }[]
}

/** The desired replicas, and the reason. */
interface DesiredScale {
  readonly replicas: number
  readonly reason: string
  readonly metrics?: readonly Frozen<MetricStatus>[]
}

const defaultTolerance = 0.1

/** One evaluation of an autoscaler: its target, its metrics and the resulting replicas. */
export class AutoscalerRun {
  readonly #autoscaler: Autoscaler
  readonly #parts: RunParts
  readonly #status: AutoscalerStatus

  constructor(autoscaler: Autoscaler, parts: RunParts) {
    this.#autoscaler = autoscaler
    this.#parts = parts
    this.#status = new AutoscalerStatus(autoscaler, parts.ctx.now())
  }

  async reconcile(): Promise<void> {
    const { ctx, memory } = this.#parts
    const target = await this.#target()
    if (target === undefined) return
    const { specReplicas: current } = target
    memory.begin(current, ctx.now())
    memory.selector = target.selector
    const scale = await this.#computeScale(target)
    if (scale === undefined) return
    const { replicas: desired, reason, metrics } = scale
    const hasScaled = desired !== current
    if (hasScaled && !(await this.#scale(target, { desired, reason, metrics }))) return
    await ctx.updateStatus(this.#status.known({ current, desired, metrics, hasScaled }))
  }

  async #target(): Promise<ScaleTarget | undefined> {
    const { ctx } = this.#parts
    try {
      const target = await readTarget(this.#autoscaler as HorizontalPodAutoscaler, ctx)
      const message = "the HPA controller was able to get the target's current scale"
      this.#status.state('AbleToScale', 'True', ['SucceededGetScale', message])
      return target
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      const { message: note } = error
      await this.#warn('FailedGetScale', note)
      const message = `the HPA controller was unable to get the target's current scale: ${note}`
      this.#status.state('AbleToScale', 'False', ['FailedGetScale', message])
      await ctx.updateStatus(this.#status.unknown())
      return undefined
    }
  }

  /** The desired replicas. The bounds are checked first: outside of them no metrics are read. */
  async #computeScale(target: ScaleTarget): Promise<DesiredScale | undefined> {
    const { maxReplicas: max, minReplicas: min = 1 } = this.#autoscaler.spec
    const { specReplicas: current } = target
    if (current === 0) {
      const message = 'scaling is disabled since the replica count of the target is zero'
      this.#status.state('ScalingActive', 'False', ['ScalingDisabled', message])
      return { replicas: 0, reason: '' }
    }
    if (current > max) {
      return { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas' }
    }
    if (current < min) {
      return { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas' }
    }
    const proposed = await this.#proposeReplicas(target)
    if (proposed === undefined) return undefined
    const { best, metrics } = proposed
    const limited = limitRecommendation(
      {
        current,
        desired: best.replicas,
        min,
        max,
        behavior: this.#autoscaler.spec.behavior,
        nowMs: this.#parts.ctx.now(),
      },
      this.#parts.memory,
    )
    this.#status.state('AbleToScale', 'True', limited.able)
    const [isLimited, ...reasonAndMessage] = limited.limited
    this.#status.state('ScalingLimited', isLimited, reasonAndMessage)
    const above = best.replicas > current ? `${best.name} above target` : ''
    const reason = best.replicas < current ? 'All metrics below target' : above
    return { replicas: limited.desired, reason, metrics }
  }

  /**
   * The highest proposal of all metrics. If metrics are missing, the others count only when they
   * scale up.
   */
  async #proposeReplicas(
    target: ScaleTarget,
  ): Promise<{ best: Proposal; metrics: Frozen<MetricStatus>[] } | undefined> {
    const { specReplicas, statusReplicas, namespace } = target
    const { spec, metadata } = this.#autoscaler
    const { ctx } = this.#parts
    const pods = await this.#pods(target)
    if (pods === undefined) return undefined
    const input = {
      namespace,
      pods,
      specReplicas,
      statusReplicas,
      nowMs: ctx.now(),
      values: metricValues(metadata.annotations),
      tolerances: tolerancesOf(this.#autoscaler),
    }
    const { metrics: requested = [] } = spec
    const proposals = requested.map((metric) => proposalOf(metric, input))
    const failures = proposals.filter((one): one is Failure => 'error' in one)
    const found = proposals.filter((one): one is Proposal => !('error' in one))
    for (const { reason, note } of failures) await this.#warn(reason, note)
    const metrics = proposals.map((one) => ('error' in one ? { type: '' } : one.status))
    const [first] = failures
    const best = found.reduce<Proposal | undefined>(
      (most, one) => (most === undefined || one.replicas > most.replicas ? one : most),
      undefined,
    )
    if (best === undefined || (first !== undefined && best.replicas < specReplicas)) {
      const { reason = '', note = '', error = '' } = first ?? {}
      const message = `the HPA was unable to compute the replica count: ${note}`
      this.#status.state('ScalingActive', 'False', [reason, message])
      const count = `${failures.length} invalid out of ${requested.length}`
      await this.#inactive(target, `invalid metrics (${count}), first error is: ${error}`, metrics)
      return undefined
    }
    const message = `the HPA was able to successfully calculate a replica count from ${best.name}`
    this.#status.state('ScalingActive', 'True', ['ValidMetricFound', message])
    return { best, metrics }
  }

  /** The pods of the target; `undefined` if the selector is missing or ambiguous. */
  async #pods(target: ScaleTarget): Promise<PodObject[] | undefined> {
    const { ctx, others } = this.#parts
    const { selector, namespace } = target
    if (selector === '') {
      await this.#warn('SelectorRequired', 'selector is required')
      const message = "the HPA target's scale is missing a selector"
      this.#status.state('ScalingActive', 'False', ['InvalidSelector', message])
      await this.#inactive(target, 'selector is required')
      return undefined
    }
    const { client, signal } = ctx
    const listPods = async (labelSelector: string): Promise<PodObject[]> =>
      client.listAll(Pod, { namespace, labelSelector, signal })
    const pods = await listPods(selector)
    const names = new Set(pods.map(({ metadata }) => metadata.name))
    const conflicting = [this.#autoscaler.metadata.name]
    for (const other of others) {
      const theirs = other.selector === selector ? pods : await listPods(other.selector)
      if (theirs.some(({ metadata }) => names.has(metadata.name))) conflicting.push(other.name)
    }
    if (conflicting.length === 1) return pods
    const shown = conflicting.sort().map((name) => `{${name} ${namespace}}`)
    const note = `pods by selector ${selector} are controlled by multiple HPAs: [${shown.join(' ')}]`
    await this.#warn('AmbiguousSelector', note)
    this.#status.state('ScalingActive', 'False', ['AmbiguousSelector', note])
    await this.#inactive(target, note)
    return undefined
  }

  async #scale(
    target: ScaleTarget,
    {
      desired,
      reason,
      metrics,
    }: { desired: number; reason: string; metrics: DesiredScale['metrics'] },
  ): Promise<boolean> {
    const { ctx, memory } = this.#parts
    const { specReplicas: current } = target
    const note = `New size: ${desired}; reason: ${reason}`
    try {
      await writeTarget(target, desired, ctx)
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      await this.#warn('FailedRescale', `${note}; error: ${error.message}`)
      const message = `the HPA controller was unable to update the target scale: ${error.message}`
      this.#status.state('AbleToScale', 'False', ['FailedUpdateScale', message])
      await ctx.updateStatus(this.#status.known({ current, metrics }))
      return false
    }
    const message = `the HPA controller was able to update the target scale to ${desired}`
    this.#status.state('AbleToScale', 'True', ['SucceededRescale', message])
    await ctx.recordEvent({ reason: 'SuccessfulRescale', message: note })
    memory.changed(desired - current, ctx.now())
    return true
  }

  async #inactive(
    { specReplicas: current }: ScaleTarget,
    note: string,
    metrics?: readonly Frozen<MetricStatus>[],
  ): Promise<void> {
    await this.#parts.ctx.updateStatus(this.#status.known({ current, metrics }))
    await this.#warn('FailedComputeMetricsReplicas', note)
  }

  async #warn(reason: string, note: string): Promise<void> {
    await this.#parts.ctx.recordEvent({ type: 'Warning', reason, message: note })
  }
}

function tolerancesOf({ spec: { behavior } }: Autoscaler): Tolerances {
  const [up, down] = [behavior?.scaleUp, behavior?.scaleDown].map((rules) =>
    rules?.tolerance === undefined ? defaultTolerance : parseQuantity(rules.tolerance).toNumber(),
  )
  return { up: up ?? defaultTolerance, down: down ?? defaultTolerance }
}
