import type { Plan } from './plans/plan.ts'
import type { Finding } from './report/finding.ts'
import type { Step } from './workload/step.ts'

/** How many steps before that of the faults are tried, from none to some. */
const prefixLengths = [0, 1, 2, 4]

/** A shorter workload, and the plan in it. */
export interface ShorterTrial {
  readonly steps: readonly Step[]
  readonly plan: Plan
}

/** Repeats a plan in a shorter workload; returns the same finding, if it is found again. */
type Retry = (trial: ShorterTrial) => Promise<Finding | undefined>

/** The same finding with the shortest workload and the fewest faults that still break the rule. */
export async function shrunk(finding: Finding, retry: Retry): Promise<Finding> {
  let best = finding
  for (const trial of shorterTrials(finding)) {
    const found = await retry(trial)
    if (found === undefined) continue
    best = found
    break
  }
  let index = 0
  while (best.plan.faults.length > 1 && index < best.plan.faults.length) {
    const faults = best.plan.faults.filter((_, at) => at !== index)
    const found = await retry({ steps: best.workload.steps, plan: { ...best.plan, faults } })
    if (found === undefined) index += 1
    else best = found
  }
  return best
}

/** Shorter workloads that may be enough for a finding, the shortest one first. */
function shorterTrials({ plan, steps: names, workload }: Finding): ShorterTrial[] {
  const { steps } = workload
  // What happens to a second object needs the first one only.
  if (plan.compare === 'second') return steps.length > 2 ? [{ steps: steps.slice(0, 2), plan }] : []
  const [create] = steps
  const tail = steps.slice(plan.step, plan.step + names.length)
  const trials = prefixLengths.flatMap((length): ShorterTrial[] => {
    if (length >= plan.step) return []
    const near = steps.slice(plan.step - length, plan.step)
    const isSelfContained = [...near, ...tail][0]?.do === 'create'
    const prefix = isSelfContained || create === undefined ? near : [create, ...near]
    if (prefix.length >= plan.step) return []
    return [{ steps: [...prefix, ...tail], plan: { ...plan, step: prefix.length } }]
  })
  return trials
}
