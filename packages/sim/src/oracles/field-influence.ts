import type { Verdict } from '../report/finding.ts'
import { stateDifferences } from '../state/state-difference.ts'
import type { StepRun } from '../world/step-run.ts'
import { valueAt } from '../workload/spec-path.ts'
import type { Declarations } from './expectation.ts'
import { objectsOf } from '../state/subject-status.ts'

/** O14: every field of the spec has an effect, or is declared as inert. */
export function judgeInfluence(
  run: StepRun,
  before: StepRun,
  { subject, inert }: Declarations,
): Verdict[] {
  const [step] = run.steps
  if (step?.do !== 'set' || step.isBack === true || run.refusal !== undefined) return []
  // Without the field, the program may use a value of its own that is the same.
  if (valueAt(step.spec, step.field.split('.').slice(1)) === undefined) return []
  if (inert.some((field) => step.field === field || step.field.startsWith(`${field}.`))) return []
  const differences = stateDifferences(before.state, run.state).filter(
    ({ object, field = '' }) => !object.startsWith(`${subject} `) || field.startsWith('status'),
  )
  const hasEffect =
    differences.length > 0 ||
    run.writes.some(({ bucket, change }) => bucket !== subject && change !== undefined) ||
    run.calls.length > 0 ||
    run.calm.lastErrors.length > 0 ||
    run.calm.lastRefusals.length > 0 ||
    statusTexts(before, subject) !== statusTexts(run, subject)
  if (hasEffect) return []
  return [
    {
      oracle: 'O14',
      problem: 'a change of the spec has no effect',
      details: [`${step.field}: ${step.name}`],
    },
  ]
}

/** The statuses of the resource, without the generation that they are about. */
function statusTexts({ end }: StepRun, subject: string): string {
  const texts = [...objectsOf(end.cluster, subject).values()].map(({ status }) =>
    JSON.stringify(status, (name, value: unknown) =>
      name === 'observedGeneration' || name === 'lastTransitionTime' ? undefined : value,
    ),
  )
  return texts.join('\n')
}
