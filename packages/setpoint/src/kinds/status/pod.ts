import { isTerminating } from '../is-terminating.ts'
import { conditionOf } from './condition-of.ts'
import { type ExactKind, withHelpers } from '../define-kind.ts'
import {
  Pod as PlainPod,
  type ContainerState,
  type ContainerStatus,
  type Pod as PodObject,
} from '../generated/core-v1.ts'
import type { Observed } from './observed.ts'
import {
  beingDeleted,
  countOf,
  done,
  isSet,
  notCreated,
  sentence,
  waiting,
  type Readiness,
} from './readiness.ts'

/** Containers that run together on one node. */
export type Pod = PodObject

const helpers = {
  /** Whether the pod is ready: its Ready condition is true and it is not terminating. */
  isReady(pod: Observed<PodObject> | undefined): boolean {
    return readiness(pod).isDone
  },
  /** Why the pod is not ready: `container app is waiting: CrashLoopBackOff`. */
  progress(pod: Observed<PodObject> | undefined): string {
    return readiness(pod).words
  },
}

/** The type of the value `Pod`. */
export interface PodKind extends ExactKind<PodObject>, Readonly<typeof helpers> {}

/** The kind of Pods, with `isReady` and `progress`. */
export const Pod: PodKind = /* @__PURE__ */ withHelpers(PlainPod, helpers)

function readiness(pod: Observed<PodObject> | undefined): Readiness {
  if (pod === undefined) return waiting(notCreated)
  if (isTerminating(pod)) return waiting(beingDeleted)
  const containers = pod.status?.containerStatuses ?? []
  if (conditionOf(pod, 'Ready')?.status === 'True') {
    return unobserved(pod) ?? done(readyContainers(containers))
  }
  return waiting(
    endedPod(pod) ??
      unscheduled(pod) ??
      unfinishedInit(pod) ??
      unreadyContainer(containers) ??
      missingGate(pod) ??
      quietPod(pod),
  )
}

/** Older kubelets do not report the observed generation; then there is nothing to compare. */
function unobserved({ metadata, status }: Observed<PodObject>): Readiness | undefined {
  const { generation = 0 } = metadata ?? {}
  const isCurrent = !isSet(status?.observedGeneration) || status.observedGeneration >= generation
  return isCurrent
    ? undefined
    : waiting(`waiting for the kubelet to observe generation ${generation}`)
}

function readyContainers(containers: readonly Observed<ContainerStatus>[]): string {
  if (containers.length === 0) return 'ready'
  const ready = containers.filter((container) => container.ready === true)
  return countOf(ready.length, containers.length, ['container', 'ready'])
}

function endedPod({ status }: Observed<PodObject>): string | undefined {
  if (status?.phase === 'Succeeded') return 'completed'
  if (status?.phase !== 'Failed') return undefined
  const failed = status.containerStatuses?.find(({ state }) => isSet(state?.terminated))
  const why = isSet(status.reason)
    ? [status.reason, status.message]
    : [failed && describe('container', failed)]
  return sentence('failed', ...why)
}

function unscheduled(pod: Observed<PodObject>): string | undefined {
  const scheduled = conditionOf(pod, 'PodScheduled')
  if (scheduled?.status !== 'False') return undefined
  if (scheduled.reason === 'SchedulingGated') {
    const gates = pod.spec?.schedulingGates ?? []
    return sentence('waiting for scheduling gates', gates.map(({ name }) => name).join(', '))
  }
  return sentence('not scheduled', scheduled.reason, scheduled.message)
}

function unfinishedInit({ spec, status }: Observed<PodObject>): string | undefined {
  const statuses = status?.initContainerStatuses ?? []
  // Init containers with a restart policy are sidecars: they have to start, not to end.
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(nameOf),
  )
  const isFinished = (container: Observed<ContainerStatus>) =>
    sidecars.has(container.name)
      ? container.started === true
      : container.state?.terminated?.exitCode === 0 && !isSet(container.state.terminated.signal)
  const position = statuses.findIndex((container) => !isFinished(container))
  const container = statuses[position]
  if (container === undefined) return undefined
  if (!isSet(container.state?.running)) return describe('init container', container)
  return sidecars.has(container.name)
    ? `init container ${container.name} is starting`
    : `init container ${container.name} is running, ${position} of ${statuses.length} finished`
}

function unreadyContainer(containers: readonly Observed<ContainerStatus>[]): string | undefined {
  const unready = containers.filter(({ ready }) => ready !== true)
  // Of several containers, one that does not even run is reported.
  const worst = unready.find(({ state }) => !isSet(state?.running)) ?? unready[0]
  return worst && describe('container', worst)
}

function missingGate(pod: Observed<PodObject>): string | undefined {
  const missing = pod.spec?.readinessGates?.find(
    ({ conditionType }) => conditionOf(pod, conditionType ?? '')?.status !== 'True',
  )
  return missing && `waiting for readiness gate ${missing.conditionType}`
}

function quietPod(pod: Observed<PodObject>): string {
  if (pod.status?.phase === 'Unknown') return 'unknown: its node does not report'
  if ((pod.status?.containerStatuses ?? []).length > 0) return 'waiting to be reported ready'
  return conditionOf(pod, 'PodScheduled')?.status === 'True'
    ? 'scheduled, waiting for its containers'
    : 'waiting to be scheduled'
}

function describe(what: string, { name, state }: Observed<ContainerStatus>): string {
  return `${what} ${name} ${stateInWords(state ?? {})}`
}

function stateInWords({ running, terminated, waiting: wait }: Observed<ContainerState>): string {
  if (isSet(terminated)) {
    const { exitCode = 0, signal = 0, reason } = terminated
    const end = signal > 0 ? `was ended by signal ${signal}` : `exited with code ${exitCode}`
    return isSet(reason) ? `${end} (${reason})` : end
  }
  if (isSet(running)) return 'is running but not ready'
  return sentence('is waiting', wait?.reason)
}

function nameOf({ name }: { readonly name?: string | undefined }): string | undefined {
  return name
}
