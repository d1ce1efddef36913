import { liveOn } from './container-life.ts'
import type { ContainerDraft, LifeStep } from './life-step.ts'
import { isInitialised, progressOf } from './pod-phase.ts'
import { type Stop, stopContainers } from './stop-containers.ts'

/** Why a whole pod has to end. */
export interface PodStop extends Stop {
  readonly why: 'deletion' | 'deadline'
}

const graceDefaultMs = 30_000

/** Whether a pod has to end, because it is being deleted or has had its time. */
export function stopOf(step: LifeStep): PodStop | undefined {
  const { metadata, spec, status } = step.pod
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  if (deletionTimestamp !== undefined) {
    const killMs = Date.parse(deletionTimestamp)
    const sinceMs = killMs - deletionGracePeriodSeconds * 1000
    return { why: 'deletion', sinceMs, killMs, givesUp: true }
  }
  if (spec.activeDeadlineSeconds === undefined) return undefined
  const startMs = status?.startTime === undefined ? step.nowMs : Date.parse(status.startTime)
  const sinceMs = startMs + spec.activeDeadlineSeconds * 1000
  if (!step.isDue(sinceMs)) return undefined
  return { why: 'deadline', sinceMs, killMs: sinceMs + graceMs(step), givesUp: true }
}

/** Ends the containers of a pod: the regular ones first, then its sidecars. Tells whether all have ended. */
export function isStopped(
  step: LifeStep,
  drafts: readonly ContainerDraft[],
  stop: PodStop,
): boolean {
  const hasInits = drafts.some(({ role }) => role === 'init' || role === 'sidecar')
  // Containers whose turn had not come are left as they are.
  const givesUp = !hasInits || isInitialised(drafts)
  const sidecars = drafts.filter(({ role }) => role === 'sidecar')
  const others = drafts.filter(({ role }) => role !== 'sidecar')
  if (!stopContainers(step, others, { ...stop, givesUp })) return false
  return stopContainers(step, sidecars, { ...stop, givesUp })
}

/** Lets the containers of a pod live: init containers one after the other, then the regular ones. */
export function runPod(step: LifeStep, drafts: readonly ContainerDraft[]): void {
  const { pod, nowMs } = step
  let turnMs = pod.status?.startTime === undefined ? nowMs : Date.parse(pod.status.startTime)
  const wasInitialised = isInitialised(drafts)
  for (const draft of isFinishing(step, drafts) ? [] : drafts) {
    if (draft.role === 'init' && wasInitialised) continue
    liveOn(step, draft, turnMs)
    if (!wasInitialised && isInTheWay(draft)) break
    turnMs = turnAfter(draft, turnMs)
  }
  if (isFinishing(step, drafts)) endSidecars(step, drafts)
}

/** Whether what comes after an init container has to wait for it. */
function isInTheWay({ role, status }: ContainerDraft): boolean {
  if (role === 'init') return status.state?.terminated?.exitCode !== 0
  return role === 'sidecar' && status.started !== true
}

/** When it is the turn of the container after this one. */
function turnAfter({ status, behaviour }: ContainerDraft, turnMs: number): number {
  const began = status.state?.terminated?.finishedAt ?? status.state?.running?.startedAt
  return began === undefined || began === null
    ? turnMs + (behaviour.pullMs ?? 0)
    : Date.parse(began)
}

/** Whether a pod has done all it can: what is left are its sidecars. */
function isFinishing({ pod }: LifeStep, drafts: readonly ContainerDraft[]): boolean {
  const inRole = (role: ContainerDraft['role']): string[] =>
    drafts.filter((draft) => draft.role === role).map((draft) => progressOf(pod, draft))
  return (
    inRole('init').includes('failed') ||
    inRole('regular').every((progress) => progress === 'succeeded' || progress === 'failed')
  )
}

/** Sidecars end when there is nothing left that they could be beside of. */
function endSidecars(step: LifeStep, drafts: readonly ContainerDraft[]): void {
  const ends = drafts
    .filter(({ role }) => role !== 'sidecar')
    .map(({ status }) => Date.parse(status.state?.terminated?.finishedAt ?? ''))
  const sinceMs = Math.max(...ends.filter((endMs) => !Number.isNaN(endMs)))
  const sidecars = drafts.filter(({ role }) => role === 'sidecar')
  stopContainers(step, sidecars, { sinceMs, killMs: sinceMs + graceMs(step), givesUp: false })
}

function graceMs({ pod }: LifeStep): number {
  const { terminationGracePeriodSeconds } = pod.spec
  return terminationGracePeriodSeconds === undefined
    ? graceDefaultMs
    : terminationGracePeriodSeconds * 1000
}
