import { defaultGraceSeconds } from '../../object/index.ts'
import { advanceContainer } from './container-lifecycle.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'
import { isInitialized, progressOf } from './pod-phase.ts'
import { type Stop, stopContainers } from './stop-containers.ts'

/** Why a pod is stopped. */
export interface PodStop extends Stop {
  readonly why: 'deletion' | 'deadline'
}

/** Whether a pod has to stop, because it is terminating or exceeded its active deadline. */
export function stopOf(step: StatusComputation): PodStop | undefined {
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

/**
 * Stops the containers of a pod: the regular ones first, then its sidecars. Returns whether all
 * have ended.
 */
export function stopPod(
  step: StatusComputation,
  drafts: readonly ContainerDraft[],
  stop: PodStop,
): boolean {
  const hasInits = drafts.some(({ role }) => role === 'init' || role === 'sidecar')
  // Containers that were not reached yet keep their state.
  const givesUp = !hasInits || isInitialized(drafts)
  const sidecars = drafts.filter(({ role }) => role === 'sidecar')
  const others = drafts.filter(({ role }) => role !== 'sidecar')
  if (!stopContainers(step, others, { ...stop, givesUp })) return false
  return stopContainers(step, sidecars, { ...stop, givesUp })
}

/** Runs the containers of a pod: init containers one after the other, then the regular ones. */
export function runPod(step: StatusComputation, drafts: readonly ContainerDraft[]): void {
  const { pod, nowMs } = step
  let turnMs = pod.status?.startTime === undefined ? nowMs : Date.parse(pod.status.startTime)
  const wasInitialized = isInitialized(drafts)
  for (const draft of isFinishing(step, drafts) ? [] : drafts) {
    if (draft.role === 'init' && wasInitialized) continue
    advanceContainer(step, draft, turnMs)
    if (!wasInitialized && isBlocking(draft)) break
    turnMs = turnAfter(draft, turnMs)
  }
  if (isFinishing(step, drafts)) endSidecars(step, drafts)
}

/** Whether the following containers have to wait for this one. */
function isBlocking({ role, status }: ContainerDraft): boolean {
  if (role === 'init') return status.state?.terminated?.exitCode !== 0
  return role === 'sidecar' && status.started !== true
}

/** When the following container can start. */
function turnAfter({ status, behaviour }: ContainerDraft, turnMs: number): number {
  const began = status.state?.terminated?.finishedAt ?? status.state?.running?.startedAt
  return began === undefined || began === null
    ? turnMs + (behaviour.pullMs ?? 0)
    : Date.parse(began)
}

/** Whether all containers but the sidecars have finished. */
function isFinishing({ pod }: StatusComputation, drafts: readonly ContainerDraft[]): boolean {
  const inRole = (role: ContainerDraft['role']): string[] =>
    drafts.filter((draft) => draft.role === role).map((draft) => progressOf(pod, draft))
  return (
    inRole('init').includes('failed') ||
    inRole('regular').every((progress) => progress === 'succeeded' || progress === 'failed')
  )
}

/** Sidecars are stopped when no other container runs. */
function endSidecars(step: StatusComputation, drafts: readonly ContainerDraft[]): void {
  const ends = drafts
    .filter(({ role }) => role !== 'sidecar')
    .map(({ status }) => Date.parse(status.state?.terminated?.finishedAt ?? ''))
  const sinceMs = Math.max(...ends.filter((endMs) => !Number.isNaN(endMs)))
  const sidecars = drafts.filter(({ role }) => role === 'sidecar')
  stopContainers(step, sidecars, { sinceMs, killMs: sinceMs + graceMs(step), givesUp: false })
}

function graceMs({ pod }: StatusComputation): number {
  const { terminationGracePeriodSeconds = defaultGraceSeconds } = pod.spec
  return terminationGracePeriodSeconds * 1000
}
