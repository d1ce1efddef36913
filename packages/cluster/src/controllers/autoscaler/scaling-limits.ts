import type { Frozen } from 'setpoint'
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from 'setpoint/kinds'
import type { RecommendationHistory } from './recommendation-history.ts'

type Rules = Frozen<HPAScalingRules>

/** The recommendation of the metrics, and its bounds. */
interface Recommended {
  readonly current: number
  readonly desired: number
  readonly min: number
  readonly max: number
  readonly behavior: Frozen<HorizontalPodAutoscalerBehavior> | undefined
  readonly nowMs: number
}

/** The limited recommendation, with the reasons for the conditions. */
interface Limited {
  readonly desired: number
  readonly able: readonly [reason: string, message: string]
  readonly limited: readonly [status: 'True' | 'False', reason: string, message: string]
}

type Bound = readonly [desired: number, reason: string, message: string]

const stabilizationMs = 300_000
const inRange = ['DesiredWithinRange', 'the desired count is within the acceptable range'] as const
const tooMany = 'the desired replica count is more than the maximum replica count'
const tooFew = 'the desired replica count is less than the minimum replica count'
const tooFastUp = 'the desired replica count is increasing faster than the maximum scale rate'
const tooFastDown = 'the desired replica count is decreasing faster than the maximum scale rate'
const lower =
  'recent recommendations were lower than current one, applying the lowest recent recommendation'
const higher =
  'recent recommendations were higher than current one, applying the highest recent recommendation'

/**
 * Limits a recommendation: stabilizes it against earlier ones, limits the rate, and applies minimum
 * and maximum.
 */
export function limitRecommendation(
  recommended: Recommended,
  memory: RecommendationHistory,
): Limited {
  const { desired, behavior, current, nowMs } = recommended
  const steady =
    behavior === undefined
      ? stabilize(recommended, memory)
      : stabilizeByBehavior(recommended, memory)
  memory.recommend(desired, nowMs, windowMsOf(behavior))
  const isUp = behavior !== undefined && desired >= current
  const stabilized = isUp
    ? (['ScaleUpStabilized', lower] as const)
    : (['ScaleDownStabilized', higher] as const)
  const [bounded, reason, message] =
    behavior === undefined
      ? bound({ ...recommended, desired: steady })
      : boundByBehavior({ ...recommended, desired: steady }, memory)
  return {
    desired: bounded,
    able:
      steady === desired
        ? ['ReadyForNewScale', 'recommended size matches current size']
        : stabilized,
    limited: [bounded === steady ? 'False' : 'True', reason, message],
  }
}

/** Scales down only below the highest recommendation of the last five minutes. */
function stabilize(
  { desired, nowMs }: Recommended,
  { recommendations }: RecommendationHistory,
): number {
  const recent = recommendations.filter(({ atMs }) => atMs >= nowMs - stabilizationMs)
  return Math.max(desired, ...recent.map(({ replicas }) => replicas))
}

function stabilizeByBehavior(
  recommended: Recommended,
  { recommendations }: RecommendationHistory,
): number {
  const { desired, current, behavior, nowMs } = recommended
  const since = (windowMs: number): number[] =>
    recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ replicas }) => replicas)
  const least = Math.min(desired, ...since(windowOf(behavior?.scaleUp, 0)))
  const most = Math.max(desired, ...since(windowOf(behavior?.scaleDown, stabilizationMs)))
  return Math.min(Math.max(current, least), most)
}

function windowMsOf(behavior: Recommended['behavior']): number {
  if (behavior === undefined) return stabilizationMs
  return Math.max(windowOf(behavior.scaleUp, 0), windowOf(behavior.scaleDown, stabilizationMs))
}

function windowOf(rules: Rules | undefined, otherwiseMs: number): number {
  const { stabilizationWindowSeconds: seconds } = rules ?? {}
  return seconds === undefined ? otherwiseMs : seconds * 1_000
}

/** Without a behavior an autoscaler at most doubles the replicas in one step, or sets four. */
function bound({ current, desired, min, max }: Recommended): Bound {
  const fastest = Math.max(2 * current, 4)
  const [most, reason, message] =
    max > fastest
      ? ([fastest, 'ScaleUpLimit', tooFastUp] as const)
      : ([max, 'TooManyReplicas', tooMany] as const)
  if (desired < min) return [min, 'TooFewReplicas', tooFew]
  return desired > most ? [most, reason, message] : [desired, ...inRange]
}

function boundByBehavior(recommended: Recommended, memory: RecommendationHistory): Bound {
  const { current, desired, min, max, behavior } = recommended
  if (desired > current) {
    const fastest = Math.max(current, limitOf(behavior?.scaleUp, { recommended, memory, sign: 1 }))
    if (desired > Math.min(max, fastest)) {
      return max > fastest
        ? [fastest, 'ScaleUpLimit', tooFastUp]
        : [max, 'TooManyReplicas', tooMany]
    }
  }
  if (desired < current) {
    const fastest = Math.min(
      current,
      limitOf(behavior?.scaleDown, { recommended, memory, sign: -1 }),
    )
    if (desired < Math.max(min, fastest)) {
      return min < fastest
        ? [fastest, 'ScaleDownLimit', tooFastDown]
        : [min, 'TooFewReplicas', tooFew]
    }
  }
  return [desired, ...inRange]
}

/** The limit of the policies in one direction, including the changes within their periods. */
function limitOf(
  { policies = [], selectPolicy = 'Max' }: Rules = {},
  {
    recommended,
    memory,
    sign,
  }: { recommended: Recommended; memory: RecommendationHistory; sign: 1 | -1 },
): number {
  const { current, nowMs } = recommended
  if (selectPolicy === 'Disabled') return current
  const limits = policies.map(({ type, value, periodSeconds }) => {
    const start = current - memory.changeSince(nowMs - periodSeconds * 1_000)
    if (type === 'Pods') return start + sign * value
    const share = start * (1 + (sign * value) / 100)
    return sign === 1 ? Math.ceil(share) : Math.trunc(share)
  })
  const isHighest = (selectPolicy === 'Min') === (sign === -1)
  return isHighest ? Math.max(...limits) : Math.min(...limits)
}
