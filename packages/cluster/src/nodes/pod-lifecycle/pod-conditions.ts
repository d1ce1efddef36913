import type { PodCondition } from 'setpoint/kinds'
import { formatTime } from '../../object/index.ts'
import { isInitialized, type Phase } from './pod-phase.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'

/** A condition without its times. */
type Verdict = Pick<PodCondition, 'status' | 'reason' | 'message'>

const yes: Verdict = { status: 'True' }

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
  const containersReady = containersVerdict(drafts, phase)
  const verdicts: Readonly<Record<string, Verdict>> = {
    PodReadyToStartContainers: hasSandbox ? yes : { status: 'False' },
    Initialized: initializedVerdict(drafts, phase),
    Ready: containersReady.status === 'True' ? gatesVerdict(step) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: yes,
  }
  const { generation } = pod.metadata
  return [
    ...others,
    ...ownTypes.map((type): PodCondition => {
      const verdict = verdicts[type] ?? yes
      const before = old.find((condition) => condition.type === type)
      const isSame = before?.status === verdict.status
      return {
        type,
        ...(generation === undefined ? {} : { observedGeneration: generation }),
        ...verdict,
        lastProbeTime: null,
        lastTransitionTime: isSame ? (before.lastTransitionTime ?? null) : formatTime(nowMs),
      }
    }),
  ]
}

function containersVerdict(drafts: readonly ContainerDraft[], phase: Phase): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  const unready = drafts.filter(
    ({ role, status }) => (role === 'sidecar' || role === 'regular') && !status.ready,
  )
  if (unready.length === 0) return yes
  const message = `containers with unready status: [${names(unready)}]`
  return { status: 'False', reason: 'ContainersNotReady', message }
}

function initializedVerdict(drafts: readonly ContainerDraft[], phase: Phase): Verdict {
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
function gatesVerdict({ pod }: StatusComputation): Verdict {
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
