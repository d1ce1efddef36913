import type { Plan } from './plans/plan.ts'
import type { Reference } from './reference.ts'
import type { Coverage } from './report/report.ts'
import type { Stop } from './trial-limit.ts'

interface Covered {
  readonly reference: Reference
  readonly plans: readonly Plan[]
  readonly tried: readonly Plan[]
  /** How many fields the spec has. */
  readonly specFields: number
  /** The states in which runs ended, as texts. */
  readonly states: ReadonlySet<string>
  readonly stop: Stop | undefined
}

/** What a simulation tried, and what it left out. */
export function coverageOf({
  reference,
  plans,
  tried,
  specFields,
  states,
  stop,
}: Covered): Coverage {
  const { runs } = reference
  const fields = runs.flatMap(({ steps, refusal }) =>
    steps.flatMap((step) => (step.do === 'set' && refusal === undefined ? [step.field] : [])),
  )
  const types = [...new Set(plans.flatMap((plan) => plan.faults.map(({ type }) => type)))]
  return {
    steps: runs.length,
    refusedSteps: runs.filter(({ refusal }) => refusal !== undefined).length,
    fields: new Set(fields).size,
    specFields,
    states: states.size,
    writes: runs.flatMap(({ writes }) => writes.filter(({ change }) => change !== undefined))
      .length,
    crashedWrites: countOf(tried, 'crash-after'),
    faults: Object.fromEntries(
      types.map((type) => [type, { plans: countOf(plans, type), tried: countOf(tried, type) }]),
    ),
    plans: plans.length,
    triedPlans: tried.length,
    ...(stop === undefined ? {} : { stop }),
  }
}

/** How many plans have a fault of a type. */
function countOf(plans: readonly Plan[], type: string): number {
  return plans.filter(({ faults }) => faults.some((fault) => fault.type === type)).length
}
