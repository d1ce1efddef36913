import type { CompiledExpression } from 'setpoint/cel'
import type { ExpressionBindings } from './expression-bindings.ts'

/** The largest cost of all conditions of a webhook or a policy. */
const conditionsBudget = 2_500_000

/** The message when expressions cost more than they may. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** A condition with its program. */
interface MatchCondition {
  readonly expression: string
  readonly compiled: CompiledExpression
}

/** Whether conditions are all true, or why that is not known. A false one decides. */
export function conditionsMatch(
  conditions: readonly MatchCondition[],
  bindings: ExpressionBindings,
): boolean | { readonly problem: string } {
  const problems: string[] = []
  let budget = conditionsBudget
  for (const { expression, compiled } of conditions) {
    const { program, problem } = compiled
    if (program === undefined) {
      problems.push(`compilation error: ${problem}`)
      continue
    }
    const { value, error, cost } = program.evaluate(bindings)
    budget -= cost
    if (budget < 0) return { problem: outOfBudget }
    if (error !== undefined) {
      problems.push(`expression '${expression}' resulted in error: ${error}`)
    } else if (value === false) return false
  }
  const [first] = problems
  if (first === undefined) return true
  return { problem: problems.length === 1 ? first : `[${problems.join(', ')}]` }
}
