import type { ContainerStatus, Pod, Termination } from './pod-shape.ts'
import { Restarts } from '../restarts.ts'

/** The status of a pod in its row: the word under STATUS, the ready containers, the restarts. */
interface PodProgress {
  readonly reason: string
  readonly ready: number
  readonly total: number
  readonly restarts: Restarts
}

/**
 * Derives the status from the container statuses. While an init container blocks the pod, only init
 * containers count; afterwards the others do, including sidecars.
 */
export function podProgress(pod: Pod): PodProgress {
  const { spec, status } = pod
  const initial = initialization(pod)
  const base = { total: (spec?.containers ?? []).length + initial.sidecars }
  const isInitialized = conditionStatus(pod, 'Initialized') === 'True'
  if (initial.blockedBy !== undefined && !isInitialized) {
    const restarts = new Restarts(initial.seen)
    return { ...base, reason: initial.blockedBy, ready: initial.readySidecars, restarts }
  }
  const statuses = status?.containerStatuses ?? []
  const reason = runningReason(pod, initial.blockedBy ?? phaseReason(pod))
  return {
    ...base,
    reason,
    ready: initial.readySidecars + statuses.filter(isRunningReady).length,
    restarts: new Restarts([...initial.seen.filter(initial.isSidecar), ...statuses]),
  }
}

function conditionStatus({ status }: Pod, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.status
}

function phaseReason({ status }: Pod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
  if (isGated === true) return 'SchedulingGated'
  const { reason = '', phase = '' } = status ?? {}
  return reason === '' ? phase : reason
}

interface Initialization {
  /** Statuses up to and including the blocking one. */
  readonly seen: readonly ContainerStatus[]
  /** The word for the blocking container. */
  readonly blockedBy: string | undefined
  readonly sidecars: number
  readonly readySidecars: number
  readonly isSidecar: (status: ContainerStatus) => boolean
}

function initialization({ spec, status }: Pod): Initialization {
  const containers = spec?.initContainers ?? []
  const names = new Set(
    containers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  )
  const isSidecar = ({ name }: ContainerStatus): boolean => names.has(name)
  const isStarted = (container: ContainerStatus): boolean =>
    isSidecar(container) && container.started === true
  const statuses = status?.initContainerStatuses ?? []
  const index = statuses.findIndex((container) => !hasSucceeded(container) && !isStarted(container))
  const seen = index < 0 ? statuses : statuses.slice(0, index + 1)
  const blocking = statuses[index]
  return {
    seen,
    blockedBy:
      blocking === undefined
        ? undefined
        : `Init:${initReason(blocking) ?? `${index}/${containers.length}`}`,
    sidecars: containers.filter(({ restartPolicy }) => restartPolicy === 'Always').length,
    readySidecars: seen.filter(
      (container) => container.ready === true && isStarted(container) && !hasSucceeded(container),
    ).length,
    isSidecar,
  }
}

function hasSucceeded({ state }: ContainerStatus): boolean {
  return state?.terminated !== undefined && (state.terminated.exitCode ?? 0) === 0
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated !== undefined) return terminationReason(state.terminated)
  const reason = state?.waiting?.reason ?? ''
  return reason === '' || reason === 'PodInitializing' ? undefined : reason
}

function terminationReason({ reason = '', signal = 0, exitCode = 0 }: Termination): string {
  if (reason !== '') return reason
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`
}

function waitingReason({ state }: ContainerStatus): string {
  return state?.waiting?.reason ?? ''
}

function isRunningReady(container: ContainerStatus): boolean {
  return (
    waitingReason(container) === '' &&
    container.state?.terminated === undefined &&
    container.ready === true &&
    container.state?.running !== undefined
  )
}

/** The reason of the first container that waits or has terminated is the reason of the pod. */
function runningReason(pod: Pod, otherwise: string): string {
  const statuses = pod.status?.containerStatuses ?? []
  const deciding = statuses.find(
    (container) => waitingReason(container) !== '' || container.state?.terminated !== undefined,
  )
  const reason = deciding === undefined ? otherwise : containerReason(deciding)
  return reason === 'Completed' ? completedReason(pod, statuses) : reason
}

function containerReason(container: ContainerStatus): string {
  const waiting = waitingReason(container)
  return waiting === '' ? terminationReason(container.state?.terminated ?? {}) : waiting
}

/** One container has completed: the status of the pod depends on the others. */
function completedReason({ status }: Pod, statuses: readonly ContainerStatus[]): string {
  const isRunning = statuses.some(isRunningReady)
  const isReady = status?.conditions?.some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  )
  if (isRunning && isReady === true) return 'Running'
  const failed = statuses.find(
    (container) =>
      waitingReason(container) === '' && (container.state?.terminated?.exitCode ?? 0) !== 0,
  )
  if (failed !== undefined) return containerReason(failed)
  return isRunning ? 'NotReady' : 'Completed'
}
