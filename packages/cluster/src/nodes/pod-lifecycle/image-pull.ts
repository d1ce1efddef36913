import { durationText } from '../../codec/index.ts'
import type { ContainerDraft, StatusComputation } from './status-computation.ts'

const backoffFirstMs = 10_000
const backoffMaxMs = 300_000

/** How long a failed attempt is shown, before the status shows the backoff. */
const failureShownMs = 5_000

/** The size of simulated images. */
const imageBytes = 10_485_760

/**
 * Whether the image of a container that has not been started is pulled. Until then its status shows
 * what it waits for. Failed attempts are retried with a growing backoff. The current attempt is
 * computed from the time alone.
 */
export function isImagePulled(
  step: StatusComputation,
  draft: ContainerDraft,
  turnMs: number,
): boolean {
  const { pullMs = 0, pullError } = draft.behaviour
  const image = JSON.stringify(draft.spec.image ?? '')
  const pulling = { type: 'Normal', reason: 'Pulling', message: `Pulling image ${image}` } as const
  if (pullMs > 0 && pullError === undefined)
    step.record(draft, { ...pulling, isRecordedOnce: true })
  const arrivesMs = turnMs + pullMs
  if (!step.isDue(arrivesMs)) return false
  if (pullError === undefined) {
    recordPull(step, draft)
    return true
  }
  const failing = failingSince(step.nowMs - arrivesMs)
  step.isDue(arrivesMs + failing.untilMs)
  const { state } = draft.status
  if (state?.waiting?.reason === failing.reason) return false
  if (failing.reason === 'ErrImagePull') {
    step.record(draft, pulling)
    step.record(draft, failure(`Failed to pull image ${image}: ${pullError}`))
  } else {
    const message = `Back-off pulling image ${image}`
    step.record(draft, { type: 'Normal', reason: 'BackOff', message })
  }
  step.record(draft, failure(`Error: ${failing.reason}`))
  const message =
    failing.reason === 'ErrImagePull'
      ? pullError
      : `Back-off pulling image ${image}: ErrImagePull: ${pullError}`
  draft.status = { ...draft.status, state: { waiting: { reason: failing.reason, message } } }
  return false
}

function failure(message: string): { type: 'Warning'; reason: string; message: string } {
  return { type: 'Warning', reason: 'Failed', message }
}

/**
 * The waiting reason of an image that cannot be pulled, some time after the first attempt, and
 * until when it holds.
 */
function failingSince(elapsedMs: number): { reason: string; untilMs: number } {
  let attemptMs = 0
  let waitMs = backoffFirstMs
  while (attemptMs + waitMs <= elapsedMs) {
    attemptMs += waitMs
    waitMs = Math.min(waitMs * 2, backoffMaxMs)
  }
  return elapsedMs - attemptMs < failureShownMs
    ? { reason: 'ErrImagePull', untilMs: attemptMs + failureShownMs }
    : { reason: 'ImagePullBackOff', untilMs: attemptMs + waitMs }
}

/** An image without pull time was already present, unless the pull policy is Always. */
function recordPull(step: StatusComputation, draft: ContainerDraft): void {
  const { pullMs = 0 } = draft.behaviour
  const image = JSON.stringify(draft.spec.image ?? '')
  const isAlwaysPulled = draft.spec.imagePullPolicy === 'Always'
  if (pullMs === 0 && isAlwaysPulled) {
    step.record(draft, { type: 'Normal', reason: 'Pulling', message: `Pulling image ${image}` })
  }
  const took = durationText(BigInt(pullMs) * 1_000_000n)
  const message =
    pullMs > 0 || isAlwaysPulled
      ? `Successfully pulled image ${image} in ${took} (${took} including waiting). Image size: ${imageBytes} bytes.`
      : `Container image ${image} already present on machine and can be accessed by the pod`
  step.record(draft, { type: 'Normal', reason: 'Pulled', message })
}
