import { type SeededRandom, seededRandom } from 'setpoint/host'
import { type Fault, type Plan, stepsOf } from './plan.ts'

/** How many plans a swarm has. */
const plansMax = 2000
/** How many faults one of its plans has at most. */
const faultsMax = 4

/** Random sets of two to four faults in one step, for the tier `nightly`. One seed, one swarm. */
export function swarmOf(singles: readonly Plan[], seed: number): Plan[] {
  const random = seededRandom(`${seed}/swarm`)
  const bySteps = new Map<number, Fault[]>()
  for (const plan of singles) {
    // A plan is judged against the steps that it takes: all of its faults need the same ones.
    if (stepsOf(plan) > 1) continue
    bySteps.set(plan.step, [...(bySteps.get(plan.step) ?? []), ...plan.faults])
  }
  const steps = [...bySteps].filter(([, faults]) => faults.length > 1)
  if (steps.length === 0) return []
  const plans = Array.from({ length: plansMax }, (): Plan => {
    const [step, faults] = steps[random.below(steps.length)] ?? [0, []]
    return { step, faults: chosen(faults, random) }
  })
  const texts = plans.map((plan) => JSON.stringify(plan))
  return plans.filter(
    ({ faults }, index) => faults.length > 1 && texts.indexOf(texts[index] ?? '') === index,
  )
}

/** Some faults, at most one for each write or call, and one of each other type. */
function chosen(faults: readonly Fault[], random: SeededRandom): Fault[] {
  const count = 2 + random.below(faultsMax - 1)
  const places = new Map<string, Fault>()
  for (let draw = 0; draw < count; draw += 1) {
    const fault = faults[random.below(faults.length)]
    if (fault !== undefined) places.set(placeOf(fault), fault)
  }
  return [...places.values()]
}

function placeOf(fault: Fault): string {
  if ('write' in fault) return `write ${fault.write}`
  return 'call' in fault ? `call ${fault.call}` : fault.type
}
