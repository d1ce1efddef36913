import { planText } from '../plans/plan-text.ts'
import type { Plan } from '../plans/plan.ts'
import { isRefused, type RecordedWrite, writeText } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import type { Verdict } from './finding.ts'

/** What a story is made of. */
interface StoryOptions {
  readonly verdict: Verdict
  readonly plan: Plan
  readonly steps: readonly string[]
  /** The steps before them, without faults. */
  readonly earlier: readonly string[]
  /** The run in which the rule was broken. */
  readonly run: StepRun | undefined
}

/** How many writes of the program are shown. */
const writesMax = 15
/** How many steps without faults are named. */
const earlierMax = 3

/** What happened, for people: the steps, the fault, what the program did, and what is wrong. */
export function storyOf({ verdict, plan, steps, earlier, run }: StoryOptions): string {
  const before =
    earlier.length > earlierMax
      ? [`${earlier.length} steps of users without faults`]
      : earlier.map((name) => `without a fault, a user does: ${name}`)
  const writes = run?.writes ?? []
  const shown = writes.slice(0, writesMax).map((write, index) => writeLine(write, { index, run }))
  const left = writes.length - shown.length
  return [
    `${verdict.oracle}: ${verdict.problem}`,
    ...[
      ...before,
      ...steps.map((name) => `a user does: ${name}`),
      planText(plan),
      ...shown,
      ...(left > 0 ? [`and ${left} more writes`] : []),
      ...verdict.details,
    ].map((line) => `  ${line}`),
  ].join('\n')
}

function writeLine(
  write: RecordedWrite,
  { index, run }: { readonly index: number; readonly run: StepRun | undefined },
): string {
  const at = ((write.timeMs - (run?.beginMs ?? 0)) / 1000).toFixed(1)
  const notes = [
    write.status === undefined ? 'no answer' : isRefused(write) ? `refused: ${write.status}` : '',
    write.process > 1 ? `process ${write.process}` : '',
    write.status !== undefined && !isRefused(write) && write.change === undefined
      ? 'no effect'
      : '',
    write.line ?? '',
  ].filter((note) => note !== '')
  const end = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return `${at} s: write ${index + 1}: ${writeText(write)}${end}`
}
