import type { PlanFile } from './files/plan-file.ts'
import { planOptions } from './files/plan-options.ts'
import { identityOf } from './report/finding-list.ts'
import type { Finding } from './report/finding.ts'
import type { Report } from './report/report.ts'
import { simulate } from './simulate.ts'
import type { SimulateOptions } from './simulate-options.ts'
import type { TimelineEvent } from './timeline/timeline-event.ts'
import { programOf, type ProgramOrOperator } from './world/program.ts'

/** What is code, and therefore not in a plan file. */
export type RepeatOptions = Pick<
  SimulateOptions,
  'resource' | 'externals' | 'companions' | 'invariants' | 'onEvent'
>

/** What became of a plan. */
export interface Repetition {
  /** All findings of the plan. */
  readonly report: Report
  /** The finding of the file, if it is still found. */
  readonly finding: Finding | undefined
  /** What happened, in virtual time. */
  readonly timeline: readonly TimelineEvent[]
}

/**
 * Repeats a finding from its plan file, with a timeline to understand it: what the user did, when
 * the faults happened, what the program and others wrote. Each repetition has the same timeline.
 */
export async function repeatPlan(
  given: ProgramOrOperator,
  file: PlanFile,
  options: RepeatOptions = {},
): Promise<Repetition> {
  const program = programOf(given)
  const timeline: TimelineEvent[] = []
  const report = await simulate(program, {
    ...planOptions(file, program),
    ...options,
    onEvent: (event) => {
      timeline.push(event)
      options.onEvent?.(event)
    },
  })
  const wanted = identityOf(file.found, file.plan)
  const finding = report.findings.find((found) => identityOf(found, found.plan) === wanted)
  return { report, finding, timeline }
}
