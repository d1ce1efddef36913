import { compareRuns, type ComparisonSource } from './comparisons.ts'
import { PlanRunner } from './plan-runner.ts'
import { noFaults, type Plan } from './plans/plan.ts'
import { judgeReference } from './reference.ts'
import type { FindingList } from './report/finding-list.ts'

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
    for (const verdict of judgeReference(reference, declared)) {
      if (verdict.step === plan.step) findings.add(verdict, noFaults(verdict.step))
    }
  }
}
