import { SetpointError } from 'setpoint'
import type { SimulateOptions } from '../simulate-options.ts'
import { declaredIn, programOf, type ProgramOrOperator } from '../world/program.ts'
import { definitionsOf } from '../world/program-parts.ts'
import type { PlanFile } from './plan-file.ts'

/**
 * The options of `simulate` that repeat a plan. What is code is not in a plan file: add the option
 * `resource` for a program that is a function, and models of external systems, companions and
 * invariants if the plan was found with them.
 */
export function planOptions(file: PlanFile, given: ProgramOrOperator): SimulateOptions {
  const program = programOf(given)
  const { seed, samples, steps, plan, declared } = file
  const options = { seed, samples, scenario: steps, only: plan, ...declared }
  if (typeof declaredIn(program) === 'function') return options
  const { group, plural } = file.resource
  const resource = definitionsOf(program).find(
    (definition) => definition.group === group && definition.plural === plural,
  )
  if (resource === undefined) {
    throw new SetpointError(
      'SIMULATION_PLAN_INVALID',
      `the plan is about ${plural}.${group}, which the operators do not define`,
      { hint: 'repeat it with the operators that it was found with' },
    )
  }
  return { ...options, resource }
}
