import { startOf } from './container-id.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'

/** Whether a running container has passed its startup probe. */
export function isStartedNow(step: StatusComputation, draft: ContainerDraft): boolean {
  return step.isDue(startOf(draft.status) + (draft.behaviour.startedAfterMs ?? 0))
}

/**
 * Whether a running, started container passes its readiness probe. Init containers are ready when
 * they have succeeded.
 */
export function isReadyNow(step: StatusComputation, draft: ContainerDraft): boolean {
  const { readyAfterMs = 0, neverReady = false, unready = [] } = draft.behaviour
  if (neverReady || draft.role === 'init' || draft.role === 'ephemeral') return false
  const startMs = startOf(draft.status)
  let isReady = step.isDue(startMs + readyAfterMs)
  for (const { fromMs, toMs = Infinity } of unready) {
    const hasBegun = step.isDue(startMs + fromMs)
    if (hasBegun && (toMs === Infinity || !step.isDue(startMs + toMs))) isReady = false
  }
  return isReady
}
