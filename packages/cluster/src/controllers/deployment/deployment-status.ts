import { formatTime, transitionTime } from '../../object/index.ts'
import { rolloutLimits, specReplicas, type Rollout } from './rollout.ts'
import type { DeploymentObject, ReplicaSetObject } from './revisions.ts'

type DeploymentStatus = NonNullable<DeploymentObject['status']>
type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number]

/** The value of progressDeadlineSeconds that means no deadline. */
const noDeadlineSeconds = 2 ** 31 - 1

/** A condition without its times. */
interface ConditionUpdate {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/**
 * The conditions of the next status. The condition that was set last is the last one, as in a real
 * cluster.
 */
export class Conditions {
  readonly nowMs: number
  #list: readonly DeploymentCondition[]

  constructor(list: readonly DeploymentCondition[], nowMs: number) {
    this.#list = list
    this.nowMs = nowMs
  }

  get list(): readonly DeploymentCondition[] {
    return this.#list
  }

  get(type: string): DeploymentCondition | undefined {
    return this.#list.find((condition) => condition.type === type)
  }

  /**
   * Sets a condition unless it has this status and reason already. `always` renews lastUpdateTime.
   */
  set(update: ConditionUpdate, { always = false } = {}): void {
    const known = this.get(update.type)
    const isSame = known?.status === update.status && known.reason === update.reason
    if (isSame && !always) return
    const now = formatTime(this.nowMs)
    const lastTransitionTime = transitionTime(known, update.status, now)
    this.put({ ...update, lastUpdateTime: now, lastTransitionTime })
  }

  put(condition: DeploymentCondition): void {
    this.remove(condition.type)
    this.#list = [...this.#list, condition]
  }

  remove(type: string): void {
    this.#list = this.#list.filter((condition) => condition.type !== type)
  }
}

/** The progress deadline; `undefined` if there is none. */
export function deadlineMs({ spec }: DeploymentObject): number | undefined {
  const seconds = spec.progressDeadlineSeconds
  return seconds === undefined || seconds === noDeadlineSeconds ? undefined : seconds * 1000
}

/** The counts of the status, and the Available condition. Counts of zero are omitted. */
export function deploymentStatus(
  { deployment, current, old }: Rollout,
  conditions: Conditions,
): DeploymentStatus {
  const sets = [...old, ...(current === undefined ? [] : [current])]
  const sum = (count: (set: ReplicaSetObject) => number | undefined): number =>
    sets.reduce((total, set) => total + (count(set) ?? 0), 0)
  const availableReplicas = sum(({ status }) => status?.availableReplicas)
  const unavailable = sum(({ spec }) => spec.replicas) - availableReplicas
  const isAvailable =
    availableReplicas >= specReplicas(deployment) - rolloutLimits(deployment).unavailable
  conditions.set({
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${isAvailable ? 'has' : 'does not have'} minimum availability.`,
  })
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counted(
      'replicas',
      sum(({ status }) => status?.replicas),
    ),
    ...counted('updatedReplicas', current?.status?.replicas ?? 0),
    ...counted(
      'readyReplicas',
      sum(({ status }) => status?.readyReplicas),
    ),
    ...counted('availableReplicas', availableReplicas),
    ...counted('unavailableReplicas', Math.max(0, unavailable)),
    terminatingReplicas: sum(({ status }) => status?.terminatingReplicas),
    ...(deployment.status?.collisionCount === undefined
      ? {}
      : { collisionCount: deployment.status.collisionCount }),
    conditions: conditions.list,
  }
}

/** Sets the conditions Progressing and ReplicaFailure. */
export function reportProgress(
  rollout: Rollout,
  counts: DeploymentStatus,
  conditions: Conditions,
): void {
  const { deployment, current } = rollout
  const before = deployment.status
  const known = conditions.get('Progressing')
  if (deadlineMs(deployment) === undefined) conditions.remove('Progressing')
  const wasComplete =
    counts.replicas === counts.updatedReplicas && known?.reason === 'NewReplicaSetAvailable'
  if (deadlineMs(deployment) !== undefined && !wasComplete) {
    const what =
      current === undefined
        ? `Deployment "${deployment.metadata.name}"`
        : `ReplicaSet "${current.metadata.name}"`
    const state = (status: 'True' | 'False', reason: string, words: string): ConditionUpdate => ({
      type: 'Progressing',
      status,
      reason,
      message: `${what} ${words}`,
    })
    if (isComplete(deployment, counts)) {
      conditions.set(state('True', 'NewReplicaSetAvailable', 'has successfully progressed.'))
    } else if (hasProgressed(before, counts)) {
      conditions.set(state('True', 'ReplicaSetUpdated', 'is progressing.'), { always: true })
    } else if (isOverdue(deployment, conditions)) {
      conditions.set(state('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'))
    }
  }
  reportFailure(rollout, conditions)
}

/** Whether all pods are updated and available, and no old pods are left. */
export function isComplete(deployment: DeploymentObject, counts: DeploymentStatus): boolean {
  const desired = specReplicas(deployment)
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = counts
  return updatedReplicas === desired && replicas === desired && availableReplicas === desired
}

function hasProgressed(before: DeploymentStatus = {}, after: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number =>
    replicas - updatedReplicas
  const { updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = after
  return (
    updatedReplicas > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    readyReplicas > (before.readyReplicas ?? 0) ||
    availableReplicas > (before.availableReplicas ?? 0)
  )
}

/** When a rollout without progress exceeds its deadline, in epoch milliseconds. */
export function overdueAtMs(
  deployment: DeploymentObject,
  conditions: Conditions,
): number | undefined {
  const condition = conditions.get('Progressing')
  const allowedMs = deadlineMs(deployment)
  if (condition === undefined || allowedMs === undefined) return undefined
  const hasProgressEnded = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'].includes(
    condition.reason ?? '',
  )
  return hasProgressEnded ? undefined : Date.parse(condition.lastUpdateTime ?? '') + allowedMs
}

function isOverdue(deployment: DeploymentObject, conditions: Conditions): boolean {
  const atMs = overdueAtMs(deployment, conditions)
  return atMs !== undefined && atMs < conditions.nowMs
}

/** Copies the failure of the current set, or else that of an old set, to the Deployment. */
function reportFailure({ current, old }: Rollout, conditions: Conditions): void {
  const sets = [...(current === undefined ? [] : [current]), ...old]
  const failures = sets.flatMap(({ status }) =>
    (status?.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure'),
  )
  const [failure] = failures
  if (failure === undefined) conditions.remove('ReplicaFailure')
  else if (conditions.get('ReplicaFailure')?.reason !== failure.reason) {
    const { type, status, reason = '', message = '', lastTransitionTime } = failure
    const time =
      lastTransitionTime === undefined
        ? {}
        : { lastTransitionTime, lastUpdateTime: lastTransitionTime }
    conditions.put({ type, status, reason, message, ...time })
  }
}

function counted(name: string, count: number): Record<string, number> {
  return count === 0 ? {} : { [name]: count }
}
