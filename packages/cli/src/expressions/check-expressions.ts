import { type AnyOperator, policyObjects } from 'setpoint'
import { policyProblems, webhookCondition } from 'setpoint/cel'
import { CommandError } from '../command/index.ts'
import { checkedKinds } from './checked-kinds.ts'

/**
 * Refuses operators whose match conditions or policies have expressions that a server refuses, or
 * that do not fit the types of the objects. The operators themselves do not check that, so that
 * they do not contain the compiler.
 */
export async function checkExpressions(operators: readonly AnyOperator[]): Promise<void> {
  const problems = [...conditionProblems(operators), ...(await policyTexts(operators))]
  if (problems.length === 0) return
  throw new CommandError(`CEL expressions of operators are wrong:\n${problems.join('\n')}`, {
    hint: 'correct the expressions in matchConditions or in .policy(...); nothing was written',
  })
}

/** The wrong match conditions of `.validate` and `.mutate`. */
function conditionProblems(operators: readonly AnyOperator[]): string[] {
  return operators.flatMap(({ declaration: { admission, options } }) =>
    admission.flatMap(({ id, type, options: { matchConditions = {} } }) =>
      Object.entries(matchConditions).flatMap(([name, expression]) => {
        const { problem } = webhookCondition(expression)
        const place = `the function ${id} of .${type} of ${options.name}: match condition ${name}`
        return problem === undefined ? [] : [`${place}: ${invalid(expression, problem)}`]
      }),
    ),
  )
}

async function policyTexts(operators: readonly AnyOperator[]): Promise<string[]> {
  if (operators.every(({ declaration: { policies } }) => policies.length === 0)) return []
  const kindsOf = await checkedKinds(operators)
  return operators.flatMap(({ declaration }) =>
    declaration.policies.flatMap((policy) => {
      const [object] = policyObjects([{ declaration: { ...declaration, policies: [policy] } }])
      const problems = policyProblems(object?.spec ?? {}, kindsOf(policy))
      const place = `the policy ${policy.name} of ${declaration.options.name}`
      return problems.map(
        ({ field, expression, problem }) => `${place}: ${field}: ${invalid(expression, problem)}`,
      )
    }),
  )
}

/** The words of a server for a field with a wrong value. */
function invalid(expression: string, problem: string): string {
  return `Invalid value: ${JSON.stringify(expression)}: ${problem}`
}
