import type { ContainerStateTerminated } from 'setpoint/kinds'
import { durationText } from '../../codec/index.ts'
import { formatTime } from '../../object/index.ts'
import type { ResolvedExit, ContainerRole } from '../behaviour/index.ts'
import { containerId, memoryOf, startOf } from './container-id.ts'
import { runningStatus } from './container-status.ts'
import { isImagePulled } from './image-pull.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'
import { isReadyNow, isStartedNow } from './simulated-probes.ts'
import { restartBackoff, restartsAfter } from './restart-rules.ts'

/** Why a container waits that cannot be configured. */
const createErrorReason = 'CreateContainerConfigError'

/** Advances a container to the current time: starts it, ends it, restarts it, makes it ready. */
export function advanceContainer(
  step: StatusComputation,
  draft: ContainerDraft,
  turnMs: number,
): void {
  while (advanceOnce(step, draft, turnMs)) continue
  if (draft.status.state?.running === undefined) return
  const started = isStartedNow(step, draft)
  if (draft.role !== 'ephemeral') draft.status.started = started
  draft.status.ready = started && isReadyNow(step, draft)
}

/** Makes one change to a container, if one is due. Returns whether it did. */
function advanceOnce(step: StatusComputation, draft: ContainerDraft, turnMs: number): boolean {
  const { state } = draft.status
  if (state?.running !== undefined) return endIfDue(step, draft)
  const ended = endedRun(draft)
  if (ended !== undefined) return restartIfDue(step, draft, ended)
  // A kubelet pulls the image before it computes the configuration.
  const isRetry = state?.waiting?.reason === createErrorReason
  if (!isRetry && !isImagePulled(step, draft, turnMs)) return false
  if (!isCreatable(step, draft)) return false
  if (isRetry) recordPresentImage(step, draft)
  startRun(step, draft, { level: 0, ended: undefined })
  return true
}

/** The last finished run of a container that is not running. */
export function endedRun({ status }: ContainerDraft): ContainerStateTerminated | undefined {
  return status.state?.terminated ?? status.lastState?.terminated
}

/** Ends a running container when its behaviour requires it. Returns whether it did. */
export function endIfDue(step: StatusComputation, draft: ContainerDraft): boolean {
  const exit = plannedExit(step, draft)
  if (exit === undefined) return false
  const atMs = startOf(draft.status) + (exit.afterMs ?? 0)
  if (!step.isDue(atMs)) return false
  if (exit.failedProbe !== undefined) recordFailedProbe(step, draft, exit)
  endRun(draft, exit, atMs)
  return true
}

/** Sets the state of a container that has ended. */
export function endRun(draft: ContainerDraft, exit: ResolvedExit, atMs: number): void {
  const { status } = draft
  const startedAt = status.state?.running?.startedAt ?? null
  status.state = {
    terminated: {
      exitCode: exit.code,
      reason: exit.reason ?? (exit.code === 0 ? 'Completed' : 'Error'),
      ...(exit.message === undefined ? {} : { message: exit.message }),
      startedAt,
      finishedAt: formatTime(atMs),
      ...(status.containerID === undefined ? {} : { containerID: status.containerID }),
    },
  }
  if (draft.role !== 'ephemeral') status.started = false
  // An init container is ready when it has succeeded.
  status.ready = draft.role === 'init' && exit.code === 0
}

function plannedExit(step: StatusComputation, draft: ContainerDraft): ResolvedExit | undefined {
  const { exits } = draft.behaviour
  const { restartCount: restart } = draft.status
  const planned =
    typeof exits === 'function'
      ? exits({ pod: step.pod, container: draft.spec.name, restart })
      : isList(exits)
        ? exits[restart]
        : exits
  if (planned === 'never') return undefined
  return planned ?? (endsByItself(step, draft.role) ? { code: 0 } : undefined)
}

function isList(
  exits: ResolvedExit | readonly ResolvedExit[] | 'never' | undefined,
): exits is readonly ResolvedExit[] {
  return Array.isArray(exits)
}

/** Containers that are expected to finish do so by default. */
function endsByItself({ pod }: StatusComputation, role: ContainerRole): boolean {
  return role === 'init' || (role === 'regular' && pod.spec.restartPolicy !== 'Always')
}

function isCreatable(step: StatusComputation, draft: ContainerDraft): boolean {
  const { createError: message } = draft.behaviour
  if (message === undefined) return true
  const reason = createErrorReason
  const { waiting, terminated } = draft.status.state ?? {}
  if (terminated !== undefined) draft.status.lastState = { terminated }
  if (waiting?.reason !== reason || waiting.message !== message) {
    step.record(draft, { type: 'Warning', reason: 'Failed', message: `Error: ${message}` })
  }
  draft.status.state = { waiting: { reason, message } }
  return false
}

function recordPresentImage(step: StatusComputation, draft: ContainerDraft): void {
  const image = JSON.stringify(draft.spec.image ?? '')
  const message = `Container image ${image} already present on machine and can be accessed by the pod`
  step.record(draft, { type: 'Normal', reason: 'Pulled', message })
}

function startRun(
  step: StatusComputation,
  draft: ContainerDraft,
  run: { readonly level: number; readonly ended: ContainerStateTerminated | undefined },
): void {
  const { spec, status } = draft
  const { nowMs, pod } = step
  const memory = { startedMs: nowMs, backoffLevel: run.level }
  const restartCount = run.ended === undefined ? status.restartCount : status.restartCount + 1
  draft.status = runningStatus(pod, spec, {
    restartCount,
    ended: run.ended,
    containerID: containerId(`${pod.metadata.uid}/${spec.name}/${restartCount}`, memory),
    startedAt: formatTime(nowMs),
  })
  step.record(draft, { type: 'Normal', reason: 'Created', message: 'Container created' })
  step.record(draft, { type: 'Normal', reason: 'Started', message: 'Container started' })
}

function restartIfDue(
  step: StatusComputation,
  draft: ContainerDraft,
  ended: ContainerStateTerminated,
): boolean {
  if (!restartsAfter(step.pod, draft, ended.exitCode)) return false
  const finishedMs = Date.parse(ended.finishedAt ?? '')
  const remembered = memoryOf(ended.containerID) ?? { startedMs: finishedMs, backoffLevel: 0 }
  const { waitMs, level } = restartBackoff({ ...remembered, finishedMs })
  if (step.isDue(finishedMs + waitMs)) {
    if (!isCreatable(step, draft)) return false
    recordPresentImage(step, draft)
    startRun(step, draft, { level, ended })
    return true
  }
  if (draft.status.state?.waiting === undefined) {
    const backOff = `Back-off restarting failed container ${draft.spec.name} in pod ${step.podText}`
    step.record(draft, { type: 'Warning', reason: 'BackOff', message: backOff })
    const wait = durationText(BigInt(waitMs) * 1_000_000n)
    const message = `back-off ${wait} restarting failed container=${draft.spec.name} pod=${step.podText}`
    draft.status.lastState = { terminated: ended }
    draft.status.state = { waiting: { reason: 'CrashLoopBackOff', message } }
  }
  return false
}

function recordFailedProbe(
  step: StatusComputation,
  draft: ContainerDraft,
  exit: ResolvedExit,
): void {
  const { failedProbe = 'liveness', message = 'HTTP probe failed with statuscode: 500' } = exit
  const probe = failedProbe === 'liveness' ? 'Liveness' : 'Startup'
  const unhealthy = `${probe} probe failed: ${message}`
  step.record(draft, { type: 'Warning', reason: 'Unhealthy', message: unhealthy })
  const killing = failedProbeNote(draft.spec.name, draft.role, failedProbe)
  step.record(draft, { type: 'Normal', reason: 'Killing', message: killing })
}

/** The Event message for a container that is stopped by a failed probe. */
export function failedProbeNote(
  container: string,
  role: ContainerRole,
  probe: 'liveness' | 'startup',
): string {
  const failed = `ontainer ${container} failed ${probe} probe`
  return role === 'sidecar' ? `Init c${failed}` : `C${failed}, will be restarted`
}
