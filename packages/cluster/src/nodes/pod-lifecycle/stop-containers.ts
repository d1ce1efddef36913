import { endedRun, endRun, endIfDue } from './container-lifecycle.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'

/** Why containers have to stop, and until when. */
export interface Stop {
  /** When the stop began. */
  readonly sinceMs: number
  /** When running containers are killed. */
  readonly killMs: number
  /** Whether containers that never ran are terminated too. */
  readonly givesUp: boolean
}

/** The exit codes of a process that SIGTERM, or SIGKILL, has ended. */
const exitOnTerm = 143
const exitOnKill = 137

/** Stops containers as far as time allows. Returns whether all have ended. */
export function stopContainers(
  step: StatusComputation,
  drafts: readonly ContainerDraft[],
  stop: Stop,
): boolean {
  for (const draft of drafts) stopContainer(step, draft, stop)
  return drafts.every(({ status }) => status.state?.running === undefined)
}

function stopContainer(step: StatusComputation, draft: ContainerDraft, stop: Stop): void {
  const { state } = draft.status
  if (state?.running !== undefined) {
    endRunning(step, draft, stop)
    return
  }
  if (state?.terminated !== undefined) return
  const ended = endedRun(draft)
  if (ended !== undefined) {
    // A container that waits for its next run is not started again.
    draft.status.state = { terminated: ended }
    draft.status.lastState = {}
  } else if (stop.givesUp) {
    const message = 'The container could not be located when the pod was terminated'
    const reason = 'ContainerStatusUnknown'
    draft.status.state = {
      terminated: { exitCode: exitOnKill, reason, message, startedAt: null, finishedAt: null },
    }
  }
}

function endRunning(step: StatusComputation, draft: ContainerDraft, stop: Stop): void {
  step.record(draft, {
    type: 'Normal',
    reason: 'Killing',
    message: `Stopping container ${draft.spec.name}`,
    isRecordedOnce: true,
  })
  if (endIfDue(step, draft)) return
  const { terminationMs = 0, terminationExitCode = exitOnTerm } = draft.behaviour
  const endMs = stop.sinceMs + terminationMs
  const isKilled = terminationMs > 0 && endMs > stop.killMs
  if (!step.isDue(Math.min(endMs, stop.killMs))) {
    step.stopping.push({ container: draft.spec.name, killMs: stop.killMs })
    return
  }
  endRun(
    draft,
    { code: isKilled ? exitOnKill : terminationExitCode },
    Math.min(isKilled ? stop.killMs : endMs, step.nowMs),
  )
}
