import { planText } from '../plans/plan-text.ts'
import type { Plan } from '../plans/plan.ts'
import { writeText } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import type { Verdict } from './finding.ts'

/** What a story is made of. */
interface StoryOptions {
  readonly verdict: Verdict
  readonly plan: Plan
  readonly steps: readonly string[]
  /** The run in which the rule was broken. */
  readonly run: StepRun | undefined
  readonly subject: string
}

const writesMax = 12

/** What happened, for people: the steps, the fault, what the program did, and what is wrong. */
export function storyOf({ verdict, plan, steps, run }: StoryOptions): string {
  const before = plan.step === 0 ? [] : [`after ${plan.step} steps without faults`]
  const writes = (run?.writes ?? []).slice(0, writesMax).map((write, index) => {
    const answer = write.status === undefined ? 'no answer' : String(write.status)
    const process = write.process > 1 ? `, process ${write.process}` : ''
    return `write ${index + 1}: ${writeText(write)} (${answer}${process})`
  })
  return [
    `${verdict.oracle}: ${verdict.problem}`,
    ...[
      ...before,
      ...steps.map((name) => `a user does: ${name}`),
      planText(plan),
      ...writes,
      ...verdict.details,
    ].map((line) => `  ${line}`),
  ].join('\n')
}
