import type { Fault, Plan } from './plan.ts'

/**
 * Plans in turns by their faults, so that the first few have one of each: when the time is over,
 * each kind was tried. Within a kind the most destructive ones come first.
 */
export function mixed(
  plans: readonly Plan[],
  kindOf: (fault: Fault) => string = ({ type }) => type,
): Plan[] {
  const seen = new Map<string, number>()
  const turns = plans.map((plan) => {
    const kinds = plan.faults.map(kindOf).join(' ')
    const turn = seen.get(kinds) ?? 0
    seen.set(kinds, turn + 1)
    return { plan, turn }
  })
  return turns.toSorted((left, right) => left.turn - right.turn).map(({ plan }) => plan)
}

/** Old views of other resources, or of another age, are different kinds. */
export function viewOf(fault: Fault): string {
  const resource = 'resource' in fault ? (fault.resource ?? '') : ''
  const isInside = 'change' in fault && fault.change > 0
  const steps = 'steps' in fault ? fault.steps : 1
  return `${fault.type} ${resource} ${isInside ? 'inside' : ''} ${steps}`
}
