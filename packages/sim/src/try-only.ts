import { compareRuns, type ComparisonSource } from './comparisons.ts'
import { PlanRunner } from './plan-runner.ts'
import { noFaults, type Plan } from './plans/plan.ts'
import { judgeReference } from './judge-reference.ts'
import type { FindingList } from './report/finding-list.ts'
import { runSteps } from './world/step-run.ts'

interface OnlySource extends ComparisonSource {
  readonly findings: FindingList
}

/** Tries one plan, and adds what it finds: a fault, a comparison, or a step without a fault. */
export async function tryOnly({ findings, ...source }: OnlySource, plan: Plan): Promise<void> {
  const { context, reference, declared } = source
  if (plan.compare !== undefined) {
    for (const verdict of await compareRuns({ ...source, only: plan })) {
      findings.add(verdict, { ...noFaults(verdict.step), compare: verdict.compare }, verdict)
    }
  } else if (plan.faults.length > 0) {
    await new PlanRunner({ context, reference, declared, findings }).try(plan)
  } else {
    if (context.observer !== undefined) await showSteps(source, plan.step)
    for (const verdict of await judgeReference(context, reference, declared)) {
      if (verdict.step === plan.step) findings.add(verdict, noFaults(verdict.step))
    }
  }
}

/** Runs a step again for its timeline, and the change that it takes back. */
async function showSteps({ context, reference }: ComparisonSource, last: number): Promise<void> {
  const { steps, checkpoints } = reference
  const end = steps[last]
  const first = end?.do === 'set' && end.isBack === true ? Math.max(0, last - 1) : last
  for (const [offset, step] of steps.slice(first, last + 1).entries()) {
    const from = checkpoints[first + offset]
    if (from === undefined) continue
    await runSteps(context, from, { steps: [step], plan: noFaults(first + offset) })
  }
}
