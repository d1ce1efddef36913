import type { Container, ContainerStatus, PodStatus } from 'setpoint/kinds'
import type { Frozen } from 'setpoint'
import {
  containerResources,
  formatTime,
  isTerminating,
  type PodResources,
  qosClassOf,
} from '../../object/index.ts'
import type { BehaviourOf, ContainerRole, PodView } from '../behaviour/index.ts'
import { waitingStatus } from './container-status.ts'
import {
  type ContainerDraft,
  type ContainerStop,
  StatusComputation,
  type PodEvent,
} from './status-computation.ts'
import { stopPod, type PodStop, runPod, stopOf } from './pod-stages.ts'
import { conditionsOf } from './pod-conditions.ts'
import { type Phase, phaseOf } from './pod-phase.ts'

/** The input of `nextPodState`. */
interface PodNow {
  readonly pod: PodView
  readonly behaviourOf: BehaviourOf
  readonly nowMs: number
  /** The addresses of the node and of the pod. */
  readonly hostIP: string
  readonly podIP: string
  /** Its containers cannot be started yet, because its volumes are not mounted. */
  readonly isHeld?: boolean
}

/** The computed state of a pod. */
export interface PodState {
  readonly status: PodStatus
  readonly events: readonly PodEvent[]
  /** When to compute it again if nothing changes before. */
  readonly wakeAtMs: number | undefined
  /** The containers that are being stopped and still run. */
  readonly stopping: readonly ContainerStop[]
  /** Its deletion is finished: no container runs, and the object can be removed. */
  readonly canBeRemoved: boolean
}

/**
 * The current state of a pod on a node, as a pure function of the stored pod and the time. It can
 * be called at any time and repeatedly. If nothing is due, it returns the stored status.
 */
export function nextPodState(now: PodNow): PodState {
  const { pod } = now
  const { deletionGracePeriodSeconds = 0 } = pod.metadata
  const isDeleted = isTerminating(pod)
  if (isTerminal(pod.status?.phase)) {
    const status = structuredClone(pod.status ?? {}) as PodStatus
    const canBeRemoved = isDeleted && deletionGracePeriodSeconds > 0
    return { status, events: [], wakeAtMs: undefined, stopping: [], canBeRemoved }
  }
  const step = new StatusComputation(pod, now.nowMs)
  const drafts = draftsOf(now)
  const stop = stopOf(step)
  if (stop === undefined && now.isHeld !== true) runPod(step, drafts)
  const hasStopped = stop === undefined || stopPod(step, drafts, stop)
  const phase =
    stop === undefined
      ? phaseOf(pod, drafts, false)
      : stoppedPhase(now, drafts, { hasStopped, why: stop.why })
  const isDeadline = stop?.why === 'deadline' && hasStopped
  if (isDeadline) step.events.push({ type: 'Normal', ...deadlineExceeded })
  const { message, ...rest } = deadlineExceeded
  const why = isDeadline ? { ...rest, message } : {}
  return {
    status: { ...statusOf(now, step, { drafts, phase }), ...why },
    events: step.events,
    wakeAtMs: step.wakeAtMs,
    stopping: step.stopping,
    canBeRemoved: isDeleted && isTerminal(phase) && deletionGracePeriodSeconds > 0,
  }
}

const deadlineExceeded = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
}

/** Whether a phase is final. */
function isTerminal(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** A stopped pod is finished when its containers are. Only a deleted pod can have succeeded. */
function stoppedPhase(
  { pod }: PodNow,
  drafts: readonly ContainerDraft[],
  { hasStopped, why }: { readonly hasStopped: boolean; readonly why: PodStop['why'] },
): Phase {
  if (!hasStopped) return pod.status?.phase ?? 'Pending'
  const phase = phaseOf(pod, drafts, true)
  return why === 'deletion' && phase === 'Succeeded' ? phase : 'Failed'
}

function draftsOf({ pod, behaviourOf }: PodNow): ContainerDraft[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec
  const creating = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating'
  const draft = (
    spec: Frozen<Container>,
    role: ContainerRole,
    statuses: readonly Frozen<ContainerStatus>[] = [],
  ): ContainerDraft => {
    const known = statuses.find(({ name }) => name === spec.name)
    const status = known ?? waitingStatus(spec, creating)
    return {
      spec,
      role,
      behaviour: behaviourOf(spec, role),
      status: structuredClone(status) as ContainerStatus,
    }
  }
  const { status } = pod
  return [
    ...initContainers.map((spec) =>
      draft(
        spec,
        spec.restartPolicy === 'Always' ? 'sidecar' : 'init',
        status?.initContainerStatuses,
      ),
    ),
    ...containers.map((spec) => draft(spec, 'regular', status?.containerStatuses)),
    ...ephemeralContainers.map((spec) =>
      draft(spec, 'ephemeral', status?.ephemeralContainerStatuses),
    ),
  ]
}

function statusOf(
  { pod, hostIP, podIP }: PodNow,
  step: StatusComputation,
  { drafts, phase }: { readonly drafts: readonly ContainerDraft[]; readonly phase: Phase },
): PodStatus {
  const { generation } = pod.metadata
  const old = structuredClone(pod.status ?? {}) as PodStatus
  const inits = drafts.filter(({ role }) => role === 'init' || role === 'sidecar')
  const ephemeral = drafts.filter(({ role }) => role === 'ephemeral')
  const regular = drafts.filter(({ role }) => role === 'regular')
  const byName = (a: ContainerStatus, b: ContainerStatus): number => (a.name < b.name ? -1 : 1)
  return {
    ...old,
    phase,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    conditions: conditionsOf(step, drafts, phase),
    startTime: old.startTime ?? formatTime(step.nowMs),
    qosClass: old.qosClass ?? qosClassOf(pod.spec),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    ...resourcesOf(pod),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits.map(({ status }) => status) }),
    containerStatuses: regular.map(({ status }) => status).sort(byName),
    ...(ephemeral.length === 0
      ? {}
      : { ephemeralContainerStatuses: ephemeral.map(({ status }) => status).sort(byName) }),
  }
}

/** The resources of the pod as a whole: what it requested. */
function resourcesOf({ spec }: PodView): Pick<PodStatus, 'allocatedResources' | 'resources'> {
  const amounts = (kind: 'requests' | 'limits'): Record<string, string> => ({
    ...Object.fromEntries(containerResources(spec as PodResources, kind)),
    ...spec.resources?.[kind],
  })
  const requests = amounts('requests')
  const limits = amounts('limits')
  const isAny = (given: object): boolean => Object.keys(given).length > 0
  return {
    ...(isAny(requests) ? { allocatedResources: requests } : {}),
    resources: { ...(isAny(limits) ? { limits } : {}), ...(isAny(requests) ? { requests } : {}) },
  }
}
