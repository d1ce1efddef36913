/** The pod statuses that a kubelet writes, as pure functions. Scenarios run without kubelets. */
import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { ApiObject } from './observed.ts'
import type { PodsStep, Selection } from './scenario.ts'

interface Condition extends JsonObject {
  type: string
  status: string
}

/** The fields of a pod that scenarios read. */
export interface PodObject extends ApiObject {
  spec: { nodeName?: string; containers: { name: string; image: string }[] }
  status: {
    phase?: string
    podIP?: string
    startTime?: string
    conditions?: Condition[]
    [key: string]: JsonValue | undefined
  } & JsonObject
}

/** The input of a status update. */
interface Moment {
  readonly time: string
  /** The address of a pod that has none yet. */
  readonly podIP: string
}

/** The status of a pod after a step. */
export function movedStatus(pod: PodObject, step: PodsStep, { time, podIP }: Moment): JsonObject {
  const { status } = pod
  const { to, reason, condition } = step
  const isReady = to === 'ready'
  const phase = to === 'succeeded' ? 'Succeeded' : to === 'failed' ? 'Failed' : 'Running'
  const ip = status.podIP ?? podIP
  const desired: Condition[] = [
    { type: 'PodReadyToStartContainers', status: phase === 'Running' ? 'True' : 'False' },
    { type: 'Initialized', status: 'True', ...completed(phase) },
    { type: 'Ready', status: isReady ? 'True' : 'False', ...unready(phase, isReady) },
    { type: 'ContainersReady', status: isReady ? 'True' : 'False', ...unready(phase, isReady) },
    { type: 'PodScheduled', status: 'True' },
    ...(condition === undefined ? [] : [{ ...condition, status: 'True' }]),
  ]
  return {
    phase,
    ...(reason === undefined ? {} : { reason, message: `The pod was ended: ${reason}.` }),
    hostIP: '192.0.2.1',
    hostIPs: [{ ip: '192.0.2.1' }],
    podIP: ip,
    podIPs: [{ ip }],
    startTime: status.startTime ?? time,
    conditions: desired.map((each) => timed(each, status.conditions ?? [], time)),
    containerStatuses: pod.spec.containers.map((container) =>
      containerStatus(container, step, time),
    ),
  }
}

function completed(phase: string): object {
  return phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}
}

function unready(phase: string, isReady: boolean): { reason?: string } {
  if (isReady) return {}
  const reasons = { Succeeded: 'PodCompleted', Failed: 'PodFailed' } as Record<string, string>
  return { reason: reasons[phase] ?? 'ContainersNotReady' }
}

/** A condition keeps its time while its status is unchanged. */
function timed(desired: Condition, before: readonly Condition[], time: string): JsonObject {
  const known = before.find(
    ({ type, status }) => type === desired.type && status === desired.status,
  )
  return { ...desired, lastTransitionTime: known?.['lastTransitionTime'] ?? time }
}

function containerStatus(
  { name, image }: { readonly name: string; readonly image: string },
  { to, exitCode }: PodsStep,
  time: string,
): JsonObject {
  const hasEnded = to === 'succeeded' || to === 'failed'
  const code = to === 'succeeded' ? 0 : (exitCode ?? 1)
  const ended = {
    exitCode: code,
    reason: code === 0 ? 'Completed' : 'Error',
    startedAt: time,
    finishedAt: time,
    containerID: `test://${name}`,
  }
  return {
    name,
    image,
    imageID: `test://${image}`,
    containerID: `test://${name}`,
    ready: to === 'ready',
    started: !hasEnded,
    restartCount: 0,
    lastState: {},
    state: hasEnded ? { terminated: ended } : { running: { startedAt: time } },
  }
}

/** Whether a pod is in the state of a selection. */
export function isInState(pod: PodObject, which: Selection['which']): boolean {
  const { phase = 'Pending', conditions = [] } = pod.status
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  const isTerminating = pod.metadata.deletionTimestamp !== undefined
  switch (which) {
    case undefined:
      return true
    case 'terminating':
      return isTerminating
    case 'pending':
      return phase === 'Pending' && !isTerminating
    case 'running':
      return phase === 'Running' && !isTerminating
    case 'ready':
      return phase === 'Running' && isReady && !isTerminating
    case 'unready':
      return phase === 'Running' && !isReady && !isTerminating
  }
}
