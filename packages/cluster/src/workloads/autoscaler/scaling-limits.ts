import type { Frozen } from 'setpoint'
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from 'setpoint/kinds'
import type { ScalingMemory } from './scaling-memory.ts'

type Rules = Frozen<HPAScalingRules>

/** What metrics ask for, and the bounds of it. */
interface Wish {
  readonly current: number
  readonly desired: number
  readonly min: number
  readonly max: number
  readonly behavior: Frozen<HorizontalPodAutoscalerBehavior> | undefined
  readonly nowMs: number
}

/** What a wish has become, with what is said about it. */
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

/** Brings a wish within its bounds: steady against what was wished before, not too fast, between minimum and maximum. */
export function limitWish(wish: Wish, memory: ScalingMemory): Limited {
  const { desired, behavior, current, nowMs } = wish
  const steady = behavior === undefined ? steadied(wish, memory) : steadiedByRules(wish, memory)
  memory.recommend(desired, nowMs, windowMsOf(behavior))
  const isUp = behavior !== undefined && desired >= current
  const stabilized = isUp
    ? (['ScaleUpStabilized', lower] as const)
    : (['ScaleDownStabilized', higher] as const)
  const [bounded, reason, message] =
    behavior === undefined
      ? bound({ ...wish, desired: steady })
      : boundByRules({ ...wish, desired: steady }, memory)
  return {
    desired: bounded,
    able:
      steady === desired
        ? ['ReadyForNewScale', 'recommended size matches current size']
        : stabilized,
    limited: [bounded === steady ? 'False' : 'True', reason, message],
  }
}

/** Less is only believed when it has been said for five minutes. */
function steadied({ desired, nowMs }: Wish, { recommendations }: ScalingMemory): number {
  const recent = recommendations.filter(({ atMs }) => atMs >= nowMs - stabilizationMs)
  return Math.max(desired, ...recent.map(({ replicas }) => replicas))
}

function steadiedByRules(wish: Wish, { recommendations }: ScalingMemory): number {
  const { desired, current, behavior, nowMs } = wish
  const since = (windowMs: number): number[] =>
    recommendations.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ replicas }) => replicas)
  const least = Math.min(desired, ...since(windowOf(behavior?.scaleUp, 0)))
  const most = Math.max(desired, ...since(windowOf(behavior?.scaleDown, stabilizationMs)))
  return Math.min(Math.max(current, least), most)
}

function windowMsOf(behavior: Wish['behavior']): number {
  if (behavior === undefined) return stabilizationMs
  return Math.max(windowOf(behavior.scaleUp, 0), windowOf(behavior.scaleDown, stabilizationMs))
}

function windowOf(rules: Rules | undefined, otherwiseMs: number): number {
  const { stabilizationWindowSeconds: seconds } = rules ?? {}
  return seconds === undefined ? otherwiseMs : seconds * 1_000
}

/** Without rules of its own an autoscaler at most doubles the replicas at once, or makes it four. */
function bound({ current, desired, min, max }: Wish): Bound {
  const fastest = Math.max(2 * current, 4)
  const [most, reason, message] =
    max > fastest
      ? ([fastest, 'ScaleUpLimit', tooFastUp] as const)
      : ([max, 'TooManyReplicas', tooMany] as const)
  if (desired < min) return [min, 'TooFewReplicas', tooFew]
  return desired > most ? [most, reason, message] : [desired, ...inRange]
}

function boundByRules(wish: Wish, memory: ScalingMemory): Bound {
  const { current, desired, min, max, behavior } = wish
  if (desired > current) {
    const fastest = Math.max(current, limitOf(behavior?.scaleUp, { wish, memory, sign: 1 }))
    if (desired > Math.min(max, fastest)) {
      return max > fastest
        ? [fastest, 'ScaleUpLimit', tooFastUp]
        : [max, 'TooManyReplicas', tooMany]
    }
  }
  if (desired < current) {
    const fastest = Math.min(current, limitOf(behavior?.scaleDown, { wish, memory, sign: -1 }))
    if (desired < Math.max(min, fastest)) {
      return min < fastest
        ? [fastest, 'ScaleDownLimit', tooFastDown]
        : [min, 'TooFewReplicas', tooFew]
    }
  }
  return [desired, ...inRange]
}

/** How far the policies let it go in one direction, given what has changed already in their periods. */
function limitOf(
  { policies = [], selectPolicy = 'Max' }: Rules = {},
  { wish, memory, sign }: { wish: Wish; memory: ScalingMemory; sign: 1 | -1 },
): number {
  const { current, nowMs } = wish
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
