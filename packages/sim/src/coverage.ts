import type { Plan } from './plans/plan.ts'
import type { Reference } from './reference.ts'
import type { Coverage } from './report/report.ts'

/** What a simulation tried, and what it left out. */
export function coverageOf({
  reference: { runs },
  plans,
  tried,
}: {
  readonly reference: Reference
  readonly plans: readonly Plan[]
  readonly tried: readonly Plan[]
}): Coverage {
  const fields = runs.flatMap(({ steps, refusal }) =>
    steps.flatMap((step) => (step.do === 'set' && refusal === undefined ? [step.field] : [])),
  )
  return {
    steps: runs.length,
    refusedSteps: runs.filter(({ refusal }) => refusal !== undefined).length,
    fields: new Set(fields).size,
    writes: runs.flatMap(({ writes }) => writes.filter(({ change }) => change !== undefined))
      .length,
    crashedWrites: sites(tried, 'crash-after'),
    views: sites(plans, 'hold', 'lag', 'travel', 'relist', 'absent'),
    triedViews: sites(tried, 'hold', 'lag', 'travel', 'relist', 'absent'),
    errors: sites(plans, 'error', 'conflict', 'lose-answer'),
    triedErrors: sites(tried, 'error', 'conflict', 'lose-answer'),
    plans: plans.length,
    triedPlans: tried.length,
  }
}

/** How many plans have a fault of one of these types. */
function sites(plans: readonly Plan[], ...types: readonly string[]): number {
  return plans.filter(({ faults }) => faults.some(({ type }) => types.includes(type))).length
}
