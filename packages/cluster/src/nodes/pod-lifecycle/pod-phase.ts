import type { PodStatus } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import { endedRun } from './container-lifecycle.ts'
import type { ContainerDraft } from './status-computation.ts'
import { restartsAfter } from './restart-rules.ts'

export type Phase = NonNullable<PodStatus['phase']>

/** The state of a container for the phase of its pod. */
type Progress = 'running' | 'restarting' | 'succeeded' | 'failed' | 'waiting'

export function progressOf(pod: PodView, draft: ContainerDraft): Progress {
  if (draft.status.state?.running !== undefined) return 'running'
  const ended = endedRun(draft)
  if (ended === undefined) return 'waiting'
  if (restartsAfter(pod, draft, ended.exitCode)) return 'restarting'
  return ended.exitCode === 0 ? 'succeeded' : 'failed'
}

/** Whether regular containers have been started, so that the init containers are finished. */
export function isInitialized(drafts: readonly ContainerDraft[]): boolean {
  return drafts.some(
    (draft) =>
      draft.role === 'regular' &&
      (draft.status.state?.running !== undefined || endedRun(draft) !== undefined),
  )
}

/** The phase of a pod by its containers. A pod that is being stopped restarts nothing. */
export function phaseOf(
  pod: PodView,
  drafts: readonly ContainerDraft[],
  isStopping: boolean,
): Phase {
  const inRole = (role: ContainerDraft['role']): Progress[] =>
    drafts.filter((draft) => draft.role === role).map((draft) => progressOf(pod, draft))
  const inits = inRole('init')
  if (inits.includes('failed')) return 'Failed'
  const sidecars = inRole('sidecar')
  const regular = inRole('regular')
  const isStarting =
    inits.some((progress) => progress === 'running' || progress === 'waiting') ||
    sidecars.includes('waiting') ||
    regular.includes('waiting')
  if (isStarting) return 'Pending'
  if ([...sidecars, ...regular].includes('running')) return 'Running'
  if (regular.includes('restarting') && !isStopping) return 'Running'
  const hasFailed = drafts.some(
    (draft) => draft.role === 'regular' && endedRun(draft)?.exitCode !== 0,
  )
  return hasFailed ? 'Failed' : 'Succeeded'
}
