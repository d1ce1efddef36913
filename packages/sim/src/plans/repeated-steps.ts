import { stateText } from '../state/state-text.ts'
import type { StepRun } from '../world/step-run.ts'

/**
 * The steps that do the same in the same state as an earlier one: a fault has the same effect there,
 * unless the program sees an older state.
 */
export function repeatedSteps(
  runs: readonly Pick<StepRun, 'steps' | 'state'>[],
): ReadonlySet<number> {
  const known = new Set<string>()
  const repeated = new Set<number>()
  let before = ''
  for (const [index, { steps, state }] of runs.entries()) {
    const actions = steps.map(({ name: _, ...action }) => action)
    const situation = `${JSON.stringify(actions)}\n${before}`
    if (known.has(situation)) repeated.add(index)
    known.add(situation)
    before = stateText(state)
  }
  return repeated
}
