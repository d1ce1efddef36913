import { scaledValue } from '../scaled-value.ts'
import {
  byAge,
  desiredReplicas,
  maxReplicas,
  type DeploymentObject,
  type ReplicaSetObject,
} from './revisions.ts'

export interface Scaling {
  readonly set: ReplicaSetObject
  readonly replicas: number
}

/** A Deployment with its ReplicaSets. */
export interface Rollout {
  readonly deployment: DeploymentObject
  readonly current: ReplicaSetObject | undefined
  readonly old: readonly ReplicaSetObject[]
}

/** The desired number of pods of the Deployment. */
export function specReplicas({ spec }: DeploymentObject): number {
  return spec.replicas ?? 1
}

/** The desired number of pods of a set. */
export function sizeOf({ spec }: ReplicaSetObject): number {
  return spec.replicas ?? 1
}

/**
 * How many pods may exist above the desired number, and how many of the desired ones may be
 * unavailable.
 */
export function rolloutLimits(deployment: DeploymentObject): {
  surge: number
  unavailable: number
} {
  const { strategy } = deployment.spec
  if (strategy?.type !== 'RollingUpdate') return { surge: 0, unavailable: 0 }
  const desired = specReplicas(deployment)
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate ?? {}
  const surge = scaledValue(maxSurge, desired, 'up')
  const allowed = scaledValue(maxUnavailable, desired, 'down')
  // Percentages of few pods can both round to zero. Then no pod could be replaced.
  const unavailable = surge === 0 && allowed === 0 ? 1 : allowed
  return { surge, unavailable: Math.min(unavailable, desired) }
}

/** The size that the current set may have now. */
export function currentSize({ deployment, current, old }: Rollout): number {
  const desired = specReplicas(deployment)
  const size = current === undefined ? 0 : sizeOf(current)
  if (deployment.spec.strategy?.type !== 'RollingUpdate' || size > desired) return desired
  const room = desired + rolloutLimits(deployment).surge - total(old) - size
  return room <= 0 ? size : size + Math.min(room, desired - size)
}

/**
 * The sizes that the old sets may be scaled down to now. Unavailable pods are removed first,
 * because they block the rollout and serve no requests. Available pods are removed as long as
 * enough others are available.
 */
export function oldSizes({ deployment, current, old }: Rollout): Scaling[] {
  if (current === undefined) return []
  // A set with more available pods than replicas was just scaled down: its status is stale.
  if (old.some((set) => availableOf(set) > sizeOf(set))) return []
  const minAvailable = specReplicas(deployment) - rolloutLimits(deployment).unavailable
  const missing = sizeOf(current) - availableOf(current)
  let budget = total(old) + sizeOf(current) - minAvailable - missing
  if (total(old) === 0 || budget <= 0) return []
  const sizes = new Map(byAge(old).map((set) => [set, sizeOf(set)]))
  for (const [set, size] of sizes) {
    const unhealthy = Math.min(budget, Math.max(0, size - availableOf(set)))
    sizes.set(set, size - unhealthy)
    budget -= unhealthy
  }
  const available = [current, ...old].reduce((sum, set) => sum + availableOf(set), 0)
  let surplus = available - minAvailable
  for (const [set, size] of sizes) {
    const given = Math.max(0, Math.min(size, surplus))
    sizes.set(set, size - given)
    surplus -= given
  }
  return [...sizes].map(([set, replicas]) => ({ set, replicas })).filter(changes)
}

/** Whether the Deployment's replicas changed since its sets were scaled. */
export function isScaled({ deployment, current, old }: Rollout): boolean {
  const sets = [...old, ...(current === undefined ? [] : [current])].filter(
    (set) => sizeOf(set) > 0,
  )
  return sets.some(
    (set) => (desiredReplicas(set) ?? specReplicas(deployment)) !== specReplicas(deployment),
  )
}

/**
 * The sizes after the Deployment's replicas changed. During a rollout all sets grow or shrink in
 * proportion, so that a bad revision does not get a larger share than it had.
 */
export function proportionalSizes({ deployment, current, old }: Rollout): Scaling[] {
  const desired = specReplicas(deployment)
  const all = [...old, ...(current === undefined ? [] : [current])]
  const active = all.filter((set) => sizeOf(set) > 0)
  if (active.length <= 1) {
    const only = active[0] ?? current ?? byAge(old).at(-1)
    return only === undefined || sizeOf(only) === desired ? [] : [{ set: only, replicas: desired }]
  }
  if (current !== undefined && isSaturated(deployment, current)) {
    return active.filter((set) => set !== current).map((set) => ({ set, replicas: 0 }))
  }
  if (deployment.spec.strategy?.type !== 'RollingUpdate') return []
  const allowed = desired === 0 ? 0 : desired + rolloutLimits(deployment).surge
  const toAdd = allowed - total(active)
  let added = 0
  const sizes = bySize(active, toAdd > 0 ? 'newer' : 'older').map((set) => {
    const share = shareOf(deployment, set, allowed)
    const left = toAdd - added
    const part = toAdd === 0 ? 0 : toAdd > 0 ? Math.min(share, left) : Math.max(share, left)
    added += part
    return { set, replicas: sizeOf(set) + part }
  })
  // The rounding difference goes to the largest set.
  return sizes.map(({ set, replicas }, index) => ({
    set,
    replicas: index === 0 ? Math.max(0, replicas + toAdd - added) : replicas,
  }))
}

function changes({ set, replicas }: Scaling): boolean {
  return sizeOf(set) !== replicas
}

function total(sets: readonly ReplicaSetObject[]): number {
  return sets.reduce((sum, set) => sum + sizeOf(set), 0)
}

function availableOf({ status }: ReplicaSetObject): number {
  return status?.availableReplicas ?? 0
}

function isSaturated(deployment: DeploymentObject, set: ReplicaSetObject): boolean {
  const desired = specReplicas(deployment)
  return sizeOf(set) === desired && desiredReplicas(set) === desired && availableOf(set) === desired
}

/** How much a set would grow or shrink in proportion to the whole Deployment. */
function shareOf(deployment: DeploymentObject, set: ReplicaSetObject, allowed: number): number {
  if (specReplicas(deployment) === 0) return -sizeOf(set)
  const recorded = maxReplicas(set) ?? 0
  const before = recorded === 0 ? (deployment.status?.replicas ?? 0) : recorded
  return before === 0 ? 0 : Math.round((sizeOf(set) * allowed) / before) - sizeOf(set)
}

/** Largest first; among sets of equal size, the newer or the older first. */
function bySize(sets: readonly ReplicaSetObject[], first: 'newer' | 'older'): ReplicaSetObject[] {
  const aged = first === 'older' ? byAge(sets) : byAge(sets).reverse()
  return aged.sort((left, right) => sizeOf(right) - sizeOf(left))
}
