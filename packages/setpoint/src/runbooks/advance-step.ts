import type { StepStatus } from '../definition/index.ts'
import { headline } from '../errors/index.ts'
import { GiveUpError } from '../controller/index.ts'
import { secondsTime } from '../events/index.ts'
import { countAttempt, decideRetry } from '../handlers/retry-decision.ts'
import { shortText } from './status-texts.ts'
import type { StepLeaf } from './step-node.ts'

/** What is known about the current attempt of a step. */
export type Observation = (
  | /** No process works on it: it has not begun, or the process that worked on it has ended. */
    { readonly is: 'idle' }
  | { readonly is: 'working'; readonly message?: string | undefined }
  | { readonly is: 'done'; readonly result?: unknown; readonly message?: string | undefined }
  | { readonly is: 'failed'; readonly error: unknown }
  /** The condition `when` is false. Only for a step that has not begun. */
  | { readonly is: 'unwanted' }
) & {
  /** The object of the attempt, if it exists. */
  readonly object?: string | undefined
}

/** The decision about a step. */
interface AdvancedStep {
  readonly status: StepStatus
  /** Whether the work of an attempt has to begin, after the status is stored. */
  readonly begins: boolean
  /** When to look again without a change; `Infinity` if only a change can help. */
  readonly waitMs: number
}

/** The retries of a step without options. A runbook ends at some time, and its failure is visible. */
const retriesDefault = 3
const backoffDefault = { first: '10s', max: '5m' } as const

/** Decides the next state of an active step. */
export function advanceStep(
  leaf: StepLeaf,
  { status, observed }: { readonly status: StepStatus; readonly observed: Observation },
  nowMs: number,
): AdvancedStep {
  switch (status.state) {
    case 'Pending':
      return observed.is === 'unwanted'
        ? ended({ ...status, state: 'Skipped' })
        : begun(leaf, { ...status, startedAt: secondsTime(nowMs) }, nowMs)
    case 'Retrying': {
      const waitMs = Date.parse(status.retryAt ?? '') - nowMs
      return waitMs > 0 ? { status, begins: false, waitMs } : begun(leaf, status, nowMs)
    }
    case 'Running':
      return advanceRunning(leaf, { status, observed }, nowMs)
    default:
      return ended(status)
  }
}

function ended(status: StepStatus): AdvancedStep {
  return { status, begins: false, waitMs: Infinity }
}

function begun(
  { timeoutMs = Infinity }: StepLeaf,
  { retryAt: _, message: __, ...status }: StepStatus,
  nowMs: number,
): AdvancedStep {
  const attemptedAt = secondsTime(nowMs)
  const attempts = (status.attempts ?? 0) + 1
  const running = { ...status, state: 'Running', attempts, attemptedAt } as const
  return { status: running, begins: true, waitMs: timeoutMs }
}

function advanceRunning(
  leaf: StepLeaf,
  { status: known, observed }: { readonly status: StepStatus; readonly observed: Observation },
  nowMs: number,
): AdvancedStep {
  const { object = known.object } = observed
  const status = object === undefined ? known : { ...known, object }
  const leftMs = timeLeftMs(leaf, status, nowMs)
  switch (observed.is) {
    case 'done':
      return ended(finished(status, observed, nowMs))
    case 'failed':
      return failed(leaf, { status, error: observed.error }, nowMs)
    case 'idle':
      // An object is created again under the same name. Code runs again as another attempt.
      if (leaf.is !== 'code') return { status, begins: true, waitMs: leftMs }
      // An attempt that a restart of the operator interrupted is not a failure.
      return begun(leaf, { ...status, delays: (status.delays ?? 0) + 1 }, nowMs)
    default: {
      if (leftMs <= 0) return failed(leaf, { status, error: timeoutError(leaf) }, nowMs)
      const message = observed.is === 'working' ? observed.message : undefined
      const waitMs = Math.min(leftMs, leaf.is === 'wait' ? leaf.everyMs : Infinity)
      return { status: withMessage(status, message), begins: false, waitMs }
    }
  }
}

/** Waiting for something has one deadline. Other steps have one for each attempt. */
function timeLeftMs(
  { is, timeoutMs = Infinity }: StepLeaf,
  { startedAt = '', attemptedAt = '' }: StepStatus,
  nowMs: number,
): number {
  return Date.parse(is === 'wait' ? startedAt : attemptedAt) + timeoutMs - nowMs
}

function timeoutError({ is, timeoutMs = 0 }: StepLeaf): Error {
  const message = `not done within ${timeoutMs / 1000} s`
  return is === 'wait' ? new GiveUpError(message) : new Error(message)
}

function finished(
  status: StepStatus,
  { result, message }: { readonly result?: unknown; readonly message?: string | undefined },
  nowMs: number,
): StepStatus {
  const done = {
    ...withMessage(status, message),
    state: 'Complete',
    finishedAt: secondsTime(nowMs),
  }
  return { ...done, ...(result === undefined ? {} : { result }) } as StepStatus
}

function failed(
  { is, retry }: StepLeaf,
  { status, error }: { readonly status: StepStatus; readonly error: unknown },
  nowMs: number,
): AdvancedStep {
  const { attempts = 1, delays = 0 } = status
  const tries = countAttempt({ attempts: attempts - 1, delays }, error)
  // A condition that throws is tried again until its timeout.
  const retries = is === 'wait' ? Infinity : retriesDefault
  const decision = decideRetry(error, tries, { retries, backoff: backoffDefault, ...retry })
  const message = shortText(headline(error))
  if (decision.type === 'retry') {
    const retryAt = secondsTime(Math.ceil((nowMs + decision.afterMs) / 1000) * 1000)
    const waiting = { ...status, state: 'Retrying', retryAt, message, ...delaysOf(tries) } as const
    return { status: waiting, begins: false, waitMs: Date.parse(retryAt) - nowMs }
  }
  if (decision.type === 'ignore') {
    return ended(finished(status, { message }, nowMs))
  }
  return ended({ ...status, state: 'Failed', message, finishedAt: secondsTime(nowMs) })
}

function delaysOf({ delays }: { readonly delays: number }): Pick<StepStatus, 'delays'> {
  return delays === 0 ? {} : { delays }
}

function withMessage({ message: _, ...status }: StepStatus, message: string | undefined) {
  return message === undefined ? status : { ...status, message: shortText(message) }
}
