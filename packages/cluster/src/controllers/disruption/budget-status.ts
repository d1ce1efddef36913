import type { Frozen } from 'setpoint'
import type { PodDisruptionBudget } from 'setpoint/kinds'
import { formatTime, isTerminating, transitionTime, upsertCondition } from '../../object/index.ts'
import { isReady, type PodObject } from '../pods/pod-state.ts'
import { scaledValue } from '../scaled-value.ts'

type BudgetObject = Frozen<PodDisruptionBudget>
type BudgetStatus = NonNullable<BudgetObject['status']>
type Condition = NonNullable<BudgetStatus['conditions']>[number]

/** How long an evicted pod may take until it is terminating. */
export const deletionTimeoutMs = 2 * 60_000

/** The expected number of pods, and the required number of healthy pods. */
interface Demand {
  readonly expected: number
  readonly healthy: number
}

/** Whether the requirement depends on the replicas of the pods' controllers. */
export function needsScale({ spec }: BudgetObject): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

/**
 * The requirement of a budget for this number of pods; `scale` is the sum of their controllers'
 * replicas.
 */
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

/** The evicted pods that are not terminating yet, and those that exceeded the timeout. */
export function disruptedPods(
  { status }: BudgetObject,
  pods: readonly PodObject[],
  nowMs: number,
): { readonly evicted: Readonly<Record<string, string>>; readonly overdue: readonly PodObject[] } {
  const evicted: Record<string, string> = {}
  const overdue: PodObject[] = []
  for (const pod of pods) {
    const { name } = pod.metadata
    const since = status?.disruptedPods?.[name]
    if (typeof since !== 'string' || isTerminating(pod)) continue
    if (Date.parse(since) + deletionTimeoutMs < nowMs) overdue.push(pod)
    else evicted[name] = since
  }
  return { evicted, overdue }
}

interface Observation {
  readonly budget: BudgetObject
  readonly pods: readonly PodObject[]
  readonly demand: Demand
  /** Evicted pods, by name. They no longer count as healthy. */
  readonly evicted: Readonly<Record<string, string>>
  readonly nowMs: number
}

/** The status of a budget: the healthy pods, and the allowed disruptions. */
export function budgetStatus({ budget, pods, demand, evicted, nowMs }: Observation): BudgetStatus {
  const isStaying = (pod: PodObject): boolean =>
    !isTerminating(pod) && !Object.hasOwn(evicted, pod.metadata.name)
  const healthy = pods.filter((pod) => isStaying(pod) && isReady(pod)).length
  const allowed = demand.expected > 0 ? Math.max(0, healthy - demand.healthy) : 0
  const generation = budget.metadata.generation ?? 0
  const condition = {
    type: 'DisruptionAllowed',
    observedGeneration: generation,
    message: '',
    ...(allowed > 0
      ? { status: 'True' as const, reason: 'SufficientPods' }
      : { status: 'False' as const, reason: 'InsufficientPods' }),
  }
  return {
    currentHealthy: healthy,
    desiredHealthy: demand.healthy,
    expectedPods: demand.expected,
    disruptionsAllowed: allowed,
    ...(Object.keys(evicted).length > 0 && { disruptedPods: evicted }),
    observedGeneration: generation,
    conditions: withCondition(budget, condition, nowMs),
  }
}

/** The status when pods cannot be counted: no eviction is allowed. */
export function failedStatus(budget: BudgetObject, message: string, nowMs: number): BudgetStatus {
  const { observedGeneration } = budget.status ?? {}
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False' as const,
    reason: 'SyncFailed',
    message,
    ...(observedGeneration !== undefined && { observedGeneration }),
  }
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
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
  const conditions = status?.conditions ?? []
  const existing = conditions.find(({ type }) => type === condition.type)
  const lastTransitionTime = transitionTime(existing, condition.status, formatTime(nowMs))
  return upsertCondition(conditions, { ...condition, lastTransitionTime })
}
