import { durationText } from '../../codec/index.ts'
import type { ContainerDraft, LifeStep } from './life-step.ts'

const backoffFirstMs = 10_000
const backoffMaxMs = 300_000

/** How long a failed attempt is shown as such, before it is shown as waiting for the next one. */
const attemptShownMs = 5_000

/** What the images of a simulated registry weigh. */
const imageBytes = 10_485_760

/**
 * Whether the image of a container that has not been started is there. Until then its status says what it waits for.
 * Attempts that fail follow each other in growing intervals; which one it is follows from the time alone.
 */
export function isImageThere(step: LifeStep, draft: ContainerDraft, turnMs: number): boolean {
  const { pullMs = 0, pullError } = draft.behaviour
  const image = JSON.stringify(draft.spec.image ?? '')
  const pulling = { type: 'Normal', reason: 'Pulling', message: `Pulling image ${image}` } as const
  if (pullMs > 0 && pullError === undefined) step.tell(draft, { ...pulling, isBeginning: true })
  const arrivesMs = turnMs + pullMs
  if (!step.isDue(arrivesMs)) return false
  if (pullError === undefined) {
    tellArrival(step, draft)
    return true
  }
  const failing = failingSince(step.nowMs - arrivesMs)
  step.isDue(arrivesMs + failing.untilMs)
  const { state } = draft.status
  if (state?.waiting?.reason === failing.reason) return false
  if (failing.reason === 'ErrImagePull') {
    step.tell(draft, pulling)
    step.tell(draft, failure(`Failed to pull image ${image}: ${pullError}`))
  } else {
    const message = `Back-off pulling image ${image}`
    step.tell(draft, { type: 'Normal', reason: 'BackOff', message })
  }
  step.tell(draft, failure(`Error: ${failing.reason}`))
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

/** What an image that never comes looks like some time after the first attempt, and for how long. */
function failingSince(elapsedMs: number): { reason: string; untilMs: number } {
  let attemptMs = 0
  let waitMs = backoffFirstMs
  while (attemptMs + waitMs <= elapsedMs) {
    attemptMs += waitMs
    waitMs = Math.min(waitMs * 2, backoffMaxMs)
  }
  return elapsedMs - attemptMs < attemptShownMs
    ? { reason: 'ErrImagePull', untilMs: attemptMs + attemptShownMs }
    : { reason: 'ImagePullBackOff', untilMs: attemptMs + waitMs }
}

/** An image that takes no time to arrive was there before, unless the pod insists on a fresh one. */
function tellArrival(step: LifeStep, draft: ContainerDraft): void {
  const { pullMs = 0 } = draft.behaviour
  const image = JSON.stringify(draft.spec.image ?? '')
  const isFresh = draft.spec.imagePullPolicy === 'Always'
  if (pullMs === 0 && isFresh) {
    step.tell(draft, { type: 'Normal', reason: 'Pulling', message: `Pulling image ${image}` })
  }
  const took = durationText(BigInt(pullMs) * 1_000_000n)
  const message =
    pullMs > 0 || isFresh
      ? `Successfully pulled image ${image} in ${took} (${took} including waiting). Image size: ${imageBytes} bytes.`
      : `Container image ${image} already present on machine and can be accessed by the pod`
  step.tell(draft, { type: 'Normal', reason: 'Pulled', message })
}
