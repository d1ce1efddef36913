import type { Frozen } from 'setpoint'
import type { PodDisruptionBudget } from 'setpoint/kinds'
import { formatTime, isTerminating } from '../../object/index.ts'
import { isReady, type PodObject } from '../pods/pod-state.ts'
import { scaledValue } from '../scaled-value.ts'

type BudgetObject = Frozen<PodDisruptionBudget>
type BudgetStatus = NonNullable<BudgetObject['status']>
type Condition = NonNullable<BudgetStatus['conditions']>[number]

/** How long a pod whose eviction was permitted may take to begin to go. */
export const deletionTimeoutMs = 2 * 60_000

/** How many pods there should be, and how many of them must be well. */
interface Demand {
  readonly expected: number
  readonly healthy: number
}

/** Whether the demand depends on what the controllers of the pods want. */
export function needsScale({ spec }: BudgetObject): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

/** The demand of a budget for so many pods; `scale` is how many their controllers want. */
export function demandOf({ spec }: BudgetObject, pods: number, scale: number): Demand {
  const { maxUnavailable, minAvailable } = spec
  if (maxUnavailable !== undefined) {
    const missing = scaledValue(maxUnavailable, scale, 'up')
    return { expected: scale, healthy: Math.max(0, scale - missing) }
  }
  if (typeof minAvailable === 'string') {
    return { expected: scale, healthy: scaledValue(minAvailable, scale, 'up') }
  }
  return minAvailable === undefined
    ? { expected: 0, healthy: 0 }
    : { expected: pods, healthy: minAvailable }
}

/** Pods whose eviction was permitted and that are still to go, and those that should have gone. */
export function disruptedPods(
  { status }: BudgetObject,
  pods: readonly PodObject[],
  nowMs: number,
): { readonly awaited: Readonly<Record<string, string>>; readonly overdue: readonly PodObject[] } {
  const awaited: Record<string, string> = {}
  const overdue: PodObject[] = []
  for (const pod of pods) {
    const { name } = pod.metadata
    const since = status?.disruptedPods?.[name]
    if (typeof since !== 'string' || isTerminating(pod)) continue
    if (Date.parse(since) + deletionTimeoutMs < nowMs) overdue.push(pod)
    else awaited[name] = since
  }
  return { awaited, overdue }
}

/** What a status is made of. */
interface Observation {
  readonly budget: BudgetObject
  readonly pods: readonly PodObject[]
  readonly demand: Demand
  /** Pods that are as good as gone. */
  readonly awaited: Readonly<Record<string, string>>
  readonly nowMs: number
}

/** How many pods are well, and how many of them could be done without. */
export function budgetStatus({ budget, pods, demand, awaited, nowMs }: Observation): BudgetStatus {
  const isStaying = (pod: PodObject): boolean =>
    !isTerminating(pod) && !Object.hasOwn(awaited, pod.metadata.name)
  const healthy = pods.filter((pod) => isStaying(pod) && isReady(pod)).length
  const allowed = demand.expected > 0 ? Math.max(0, healthy - demand.healthy) : 0
  const generation = budget.metadata.generation ?? 0
  const condition = {
    ...{ type: 'DisruptionAllowed', observedGeneration: generation, message: '' },
    ...(allowed > 0
      ? { status: 'True' as const, reason: 'SufficientPods' }
      : { status: 'False' as const, reason: 'InsufficientPods' }),
  }
  return {
    currentHealthy: healthy,
    desiredHealthy: demand.healthy,
    expectedPods: demand.expected,
    disruptionsAllowed: allowed,
    ...(Object.keys(awaited).length > 0 && { disruptedPods: awaited }),
    observedGeneration: generation,
    conditions: withCondition(budget, condition, nowMs),
  }
}

/** The status when the numbers cannot be worked out: nothing may be evicted. */
export function failedStatus(budget: BudgetObject, message: string, nowMs: number): BudgetStatus {
  const { observedGeneration } = budget.status ?? {}
  const condition = {
    ...{ type: 'DisruptionAllowed', status: 'False' as const, reason: 'SyncFailed', message },
    ...(observedGeneration !== undefined && { observedGeneration }),
  }
  return {
    ...{ currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withCondition(budget, condition, nowMs),
  }
}

function withCondition(
  { status }: BudgetObject,
  condition: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): readonly Condition[] {
  const all = status?.conditions ?? []
  const old = all.find(({ type }) => type === condition.type)
  const isSame = old?.status === condition.status
  const next = {
    ...condition,
    lastTransitionTime: isSame ? old.lastTransitionTime : formatTime(nowMs),
  }
  return old === undefined ? [...all, next] : all.map((one) => (one === old ? next : one))
}
