import type { PodCondition } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { isInitialized, type Phase } from './pod-phase.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'

/** A condition without its times. */
type ConditionState = Pick<PodCondition, 'status' | 'reason' | 'message'>

const yes: ConditionState = { status: 'True' }

/** The conditions that the kubelet manages, in its order. */
const ownTypes = [
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
]

/** The conditions of a pod: unmanaged ones unchanged, then those of the kubelet. */
export function conditionsOf(
  step: StatusComputation,
  drafts: readonly ContainerDraft[],
  phase: Phase,
): PodCondition[] {
  const { pod, nowMs } = step
  const old = pod.status?.conditions ?? []
  const others = old.filter(({ type }) => !ownTypes.includes(type))
  const hasSandbox = phase !== 'Succeeded' && phase !== 'Failed'
  const containersReady = containersReadyState(drafts, phase)
  const states: Readonly<Record<string, ConditionState>> = {
    PodReadyToStartContainers: hasSandbox ? yes : { status: 'False' },
    Initialized: initializedState(drafts, phase),
    Ready: containersReady.status === 'True' ? readinessGatesState(step) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: yes,
  }
  const { generation } = pod.metadata
  return [
    ...others,
    ...ownTypes.map((type): PodCondition => {
      const state = states[type] ?? yes
      const before = old.find((condition) => condition.type === type)
      const isSame = before?.status === state.status
      return {
        type,
        ...(generation === undefined ? {} : { observedGeneration: generation }),
        ...state,
        lastProbeTime: null,
        lastTransitionTime: isSame ? (before.lastTransitionTime ?? null) : formatTime(nowMs),
      }
    }),
  ]
}

function containersReadyState(drafts: readonly ContainerDraft[], phase: Phase): ConditionState {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  const unready = drafts.filter(
    ({ role, status }) => (role === 'sidecar' || role === 'regular') && !status.ready,
  )
  if (unready.length === 0) return yes
  const message = `containers with unready status: [${names(unready)}]`
  return { status: 'False', reason: 'ContainersNotReady', message }
}

function initializedState(drafts: readonly ContainerDraft[], phase: Phase): ConditionState {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' }
  if (isInitialized(drafts)) return yes
  const incomplete = drafts.filter(({ role, status }) =>
    role === 'sidecar' ? status.started !== true : role === 'init' && !status.ready,
  )
  if (incomplete.length === 0) return yes
  const message = `containers with incomplete status: [${names(incomplete)}]`
  return { status: 'False', reason: 'ContainersNotInitialized', message }
}

/** The conditions of readiness gates decide about Ready too. */
function readinessGatesState({ pod }: StatusComputation): ConditionState {
  const problems = (pod.spec.readinessGates ?? []).flatMap(({ conditionType = '' }) => {
    const gate = pod.status?.conditions?.find(({ type }) => type === conditionType)
    const quoted = JSON.stringify(conditionType)
    if (gate === undefined) {
      return [`corresponding condition of pod readiness gate ${quoted} does not exist.`]
    }
    return gate.status === 'True'
      ? []
      : [`the status of pod readiness gate ${quoted} is not "True", but ${gate.status}`]
  })
  if (problems.length === 0) return yes
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') }
}

function names(drafts: readonly ContainerDraft[]): string {
  return drafts.map(({ spec }) => spec.name).join(' ')
}
