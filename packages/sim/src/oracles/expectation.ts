import { quantityAmount } from 'setpoint/schema'
import type { Plan } from '../plans/plan.ts'
import type { CanonicalState } from '../state/canonical-state.ts'
import { type Difference, stateDifferences } from '../state/state-difference.ts'
import type { StepRun } from '../world/step-run.ts'

/** What the author declares about the program. */
export interface Declarations {
  /** The bucket of the resource, such as `example.com/widgets`. */
  readonly subject: string
  /** Resources whose objects stay when their owner is deleted. */
  readonly retained: readonly string[]
  /** Resources whose objects may be deleted and created again. */
  readonly recreated: readonly string[]
  /** Resources that are written again and again. */
  readonly heartbeats: readonly string[]
  /** Fields of the spec that change nothing outside of the program. */
  readonly inert: readonly string[]
}

/** What a run is compared with. */
export interface Expectation extends Declarations {
  /** The run of the same steps without faults. */
  readonly reference: StepRun
  /** The state before the steps. */
  readonly before: CanonicalState
  /** The state before the steps of the judged run, which other steps with faults may precede. */
  readonly ownBefore: CanonicalState
  /** What runs without faults do not agree on. */
  readonly unstable: ReadonlySet<string>
  readonly plan: Plan
  /** Whether the program possibly did not see each of the steps. */
  readonly skipsSteps: boolean
}

/** The differences of two states, without the status of the resource itself. */
export function differencesOf(
  expected: CanonicalState,
  actual: CanonicalState,
  { unstable, subject, retained }: Pick<Expectation, 'unstable' | 'subject' | 'retained'>,
): Difference[] {
  return stateDifferences(expected, actual, unstable).filter(
    ({ type, object, field = '' }) =>
      (!object.startsWith(`${subject} `) || !field.startsWith('status')) &&
      // What is kept depends on what there was.
      (type !== 'extra' || !retained.some((bucket) => object.startsWith(`${bucket} `))),
  )
}

/** Whether a volume is larger than expected: no program can make it smaller again. */
export function isLargerVolume({ field = '', expected, actual }: Difference): boolean {
  if (!field.endsWith('resources.requests.storage')) return false
  const [before = 0, after = 0] = [expected, actual].map(
    (text) => text && quantityAmount(JSON.parse(text)),
  )
  return Number(after) > Number(before) && Number(before) > 0
}

/** Differences for people. Values of Secrets are hidden. */
export function differenceTexts(differences: readonly Difference[]): string[] {
  return differences.slice(0, 8).map(({ type, object, field, expected, actual }) => {
    if (type !== 'changed') return `${object} is ${type}`
    const isSecret = object.startsWith('/secrets ')
    const [before, after] = [expected, actual].map((text) =>
      text === undefined ? 'nothing' : isSecret ? '(hidden)' : text,
    )
    return `${object}: ${field ?? ''} is ${after ?? ''}, expected ${before ?? ''}`
  })
}

/** The first few of some texts, each once. */
export function firstOf(texts: readonly string[], count = 5): string[] {
  return [...new Set(texts)].slice(0, count)
}
