import { essenceHash } from '../../handlers/essence.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isTerminating } from '../../kinds/is-terminating.ts'
import { conditionOf } from '../../kinds/status/condition-of.ts'
import type { ResourceCondition } from '../../definition/index.ts'
import type { Observation, StepLeaf } from '../../runbooks/index.ts'
import { isReadyByDefault, progressOf } from '../children/child-readiness.ts'

/** The labels of the objects of steps: the run, and the step with its attempt. */
export const runLabel = 'setpoint.dev/runbook-run'
const stepLabel = 'setpoint.dev/runbook-step'

/** Names of pods, Services and labels have at most this many characters. */
const nameLengthMax = 63

/** An attempt of a step with an object. */
export interface StepAttempt {
  readonly runbook: string
  readonly run: number
  /** The name of the step in the status. */
  readonly step: string
  readonly attempt: number
}

/** The text that identifies an attempt among all of an object. */
export function attemptText({ runbook, run, step, attempt }: StepAttempt): string {
  return `${runbook}.${run} ${step}.${attempt}`
}

/** The label of all objects of a run. */
export function runLabelValue({ runbook, run }: Pick<StepAttempt, 'runbook' | 'run'>): string {
  return shortName(`${runbook}.${run}`)
}

/** The labels of the object of an attempt. */
export function stepLabels(attempt: StepAttempt): Record<string, string> {
  const step = attempt.step.replaceAll('/', '.')
  return {
    [runLabel]: runLabelValue(attempt),
    [stepLabel]: shortName(`${step}.${attempt.attempt}`),
  }
}

/** Whether an object belongs to an attempt. */
export function isOfAttempt({ metadata }: ApiResource, attempt: StepAttempt): boolean {
  return Object.entries(stepLabels(attempt)).every(
    ([name, value]) => metadata.labels?.[name] === value,
  )
}

/** The name of the object of an attempt, unless the author gives one. */
export function stepObjectName(
  owner: string,
  { runbook, run, step, attempt }: StepAttempt,
): string {
  const again = attempt > 1 ? `-${attempt}` : ''
  return shortName(`${owner}-${runbook}-${run}-${step.replaceAll('/', '-')}${again}`)
}

function shortName(name: string): string {
  if (name.length <= nameLengthMax) return name
  const hash = essenceHash(name).replaceAll('-', '').slice(0, 8)
  return `${name.slice(0, nameLengthMax - hash.length - 1).replace(/[^a-z0-9]+$/, '')}-${hash}`
}

/** Whether a step with an object is done, judged by the object. */
export function observeObject(
  { kind, readyWhen, failedWhen }: Extract<StepLeaf, { is: 'object' }>,
  object: ApiResource,
): Observation {
  const name = `${kind.kind}/${object.metadata.name}`
  const message = progressOf(object)
  if (hasFailed(object, failedWhen as ObjectTest)) {
    return { is: 'failed', error: new Error(`${name}: ${message ?? 'failed'}`), object: name }
  }
  const isReady = (readyWhen as ObjectTest | undefined)?.(object) ?? isReadyByDefault(object)
  if (isReady) return { is: 'done', object: name }
  const words = isTerminating(object) ? 'being deleted' : (message ?? 'not ready yet')
  return { is: 'working', message: `${name}: ${words}`, object: name }
}

type ObjectTest = (object: ApiResource) => boolean

/** Whether an object has failed: by the author's function, or a Job by its condition. */
export function hasFailed(object: ApiResource, failedWhen: ObjectTest | undefined): boolean {
  if (failedWhen !== undefined) return failedWhen(object)
  const isJob = object.apiVersion === 'batch/v1' && object.kind === 'Job'
  const job = object as { readonly status?: { readonly conditions?: readonly ResourceCondition[] } }
  return isJob && conditionOf(job, 'Failed')?.status === 'True'
}
