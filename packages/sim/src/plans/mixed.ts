import type { Plan } from './plan.ts'

/** Plans in turns by their faults, so that the first few have one of each. */
export function mixed(plans: readonly Plan[]): Plan[] {
  const seen = new Map<string, number>()
  const turns = plans.map((plan) => {
    const types = plan.faults.map(({ type }) => type).join(' ')
    const turn = seen.get(types) ?? 0
    seen.set(types, turn + 1)
    return { plan, turn }
  })
  return turns.toSorted((left, right) => left.turn - right.turn).map(({ plan }) => plan)
}
