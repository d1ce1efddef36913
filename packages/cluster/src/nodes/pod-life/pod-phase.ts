import type { PodStatus } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import { endedRun } from './container-life.ts'
import type { ContainerDraft } from './life-step.ts'
import { restartsAfter } from './restart-rules.ts'

/** The phase of a pod. */
export type Phase = NonNullable<PodStatus['phase']>

/** Whether a container runs, has ended for good or for now, or has never run. */
type Progress = 'running' | 'restarting' | 'succeeded' | 'failed' | 'waiting'

/** How far a container is. */
export function progressOf(pod: PodView, draft: ContainerDraft): Progress {
  if (draft.status.state?.running !== undefined) return 'running'
  const ended = endedRun(draft)
  if (ended === undefined) return 'waiting'
  if (restartsAfter(pod, draft, ended.exitCode)) return 'restarting'
  return ended.exitCode === 0 ? 'succeeded' : 'failed'
}

/** Whether regular containers have been started: init containers are then past. */
export function isInitialised(drafts: readonly ContainerDraft[]): boolean {
  return drafts.some(
    (draft) =>
      draft.role === 'regular' &&
      (draft.status.state?.running !== undefined || endedRun(draft) !== undefined),
  )
}

/** The phase that the containers of a pod add up to. One that is being stopped restarts nothing. */
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
