import type { ApiObject } from './api-resources.ts'
import { KubectlProblem } from './kubectl-problem.ts'

/** The progress of a rollout, with kubectl's message. */
interface RolloutProgress {
  readonly isDone: boolean
  readonly text: string
}

interface WorkloadStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly availableReplicas?: number
  readonly readyReplicas?: number
  readonly currentRevision?: string
  readonly updateRevision?: string
  readonly desiredNumberScheduled?: number
  readonly updatedNumberScheduled?: number
  readonly numberAvailable?: number
  readonly conditions?: readonly { readonly type: string; readonly reason?: string }[]
}

/** The progress of a rollout; throws when its progress deadline is exceeded. */
export function rolloutProgress(object: ApiObject): RolloutProgress {
  const status = (object['status'] ?? {}) as WorkloadStatus
  const { replicas = 1 } = (object['spec'] ?? {}) as { replicas?: number }
  const name = JSON.stringify(object.metadata.name)
  const isObserved = (object.metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
  switch (object.kind) {
    case 'Deployment':
      return isObserved
        ? deploymentProgress(name, replicas, status)
        : waiting('Waiting for deployment spec update to be observed...')
    case 'DaemonSet':
      return isObserved
        ? daemonSetProgress(name, status)
        : waiting('Waiting for daemon set spec update to be observed...')
    case 'StatefulSet':
      return isObserved
        ? statefulSetProgress(replicas, status)
        : waiting('Waiting for statefulset spec update to be observed...')
    default:
      throw new KubectlProblem(
        `error: no status viewer has been implemented for ${object.apiVersion}, Kind=${object.kind}`,
      )
  }
}

const waiting = (text: string): RolloutProgress => ({ isDone: false, text })

function deploymentProgress(
  name: string,
  desired: number,
  status: WorkloadStatus,
): RolloutProgress {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, conditions = [] } = status
  if (conditions.some(({ reason }) => reason === 'ProgressDeadlineExceeded')) {
    throw new KubectlProblem(`error: deployment ${name} exceeded its progress deadline`)
  }
  const prefix = `Waiting for deployment ${name} rollout to finish:`
  if (updatedReplicas < desired) {
    return waiting(
      `${prefix} ${updatedReplicas} out of ${desired} new replicas have been updated...`,
    )
  }
  if (replicas > updatedReplicas) {
    return waiting(
      `${prefix} ${replicas - updatedReplicas} old replicas are pending termination...`,
    )
  }
  if (availableReplicas < updatedReplicas) {
    return waiting(
      `${prefix} ${availableReplicas} of ${updatedReplicas} updated replicas are available...`,
    )
  }
  return { isDone: true, text: `deployment ${name} successfully rolled out` }
}

function daemonSetProgress(name: string, status: WorkloadStatus): RolloutProgress {
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status
  const prefix = `Waiting for daemon set ${name} rollout to finish:`
  if (updatedNumberScheduled < desiredNumberScheduled) {
    return waiting(
      `${prefix} ${updatedNumberScheduled} out of ${desiredNumberScheduled} new pods have been updated...`,
    )
  }
  if (numberAvailable < desiredNumberScheduled) {
    return waiting(
      `${prefix} ${numberAvailable} of ${desiredNumberScheduled} updated pods are available...`,
    )
  }
  return { isDone: true, text: `daemon set ${name} successfully rolled out` }
}

function statefulSetProgress(desired: number, status: WorkloadStatus): RolloutProgress {
  const { readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status
  if (readyReplicas < desired)
    return waiting(`Waiting for ${desired - readyReplicas} pods to be ready...`)
  if (updateRevision !== currentRevision) {
    return waiting(
      `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${updateRevision ?? ''}...`,
    )
  }
  return {
    isDone: true,
    text: `statefulset rolling update complete ${desired} pods at revision ${currentRevision ?? ''}...`,
  }
}
