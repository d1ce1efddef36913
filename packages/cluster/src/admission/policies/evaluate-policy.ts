import type { PolicyPrograms } from '../../expressions/index.ts'
import type { ExpressionBindings } from '../expression-bindings.ts'
import { conditionsMatch, outOfBudget } from '../match-conditions.ts'
import type { PolicySpec } from './bound-policy.ts'
import { LazyVariables } from './lazy-variables.ts'

/** A validation that was not true, or could not be evaluated. */
export interface PolicyFailure {
  readonly message: string
  /** Why the server refuses; `undefined` after an error. */
  readonly reason?: string
}

/** The largest cost of the validations of a policy for one write. */
const validationsBudget = 10_000_000

/** The longest result of a message expression, in bytes. */
const messageBytesMax = 5 * 1024

/** The failures of a policy for a write and its parameters; none if it is not about the write. */
export function evaluatePolicy(
  spec: PolicySpec,
  programs: PolicyPrograms,
  given: ExpressionBindings,
): PolicyFailure[] {
  const onError = (message: string): PolicyFailure[] =>
    spec.failurePolicy === 'Ignore' ? [] : [{ message }]
  const conditions = (spec.matchConditions ?? []).map(({ expression }, index) => ({
    expression,
    compiled: programs.matchConditions[index] ?? { problem: 'missing' },
  }))
  const matches = conditionsMatch(conditions, given)
  if (matches === false) return []
  if (matches !== true) return onError(matches.problem)
  const variables = new LazyVariables(programs, given)
  const bindings = variables.bindings
  const failures: PolicyFailure[] = []
  let budget = validationsBudget
  const results = (spec.validations ?? []).map((validation, index) => {
    const { program, problem } = programs.validations[index] ?? { problem: 'missing' }
    if (program === undefined) return { validation, index, error: `compilation error: ${problem}` }
    const { value, error, cost } = program.evaluate(bindings)
    budget -= cost + variables.takeCost()
    const shown = `expression '${validation.expression}' resulted in error: ${error ?? ''}`
    return { validation, index, value, error: error === undefined ? undefined : shown }
  })
  if (budget < 0) return onError(outOfBudget)
  for (const { validation, index, value, error } of results) {
    if (error !== undefined) {
      failures.push(...onError(error))
      continue
    }
    if (value === true) continue
    const { reason = 'Invalid', message = '', expression } = validation
    const stated = messageOf(programs, index, bindings)
    const fallback = message === '' ? `failed expression: ${expression.trim()}` : message.trim()
    failures.push({ message: stated === '' ? fallback : stated, reason })
  }
  return failures
}

function messageOf(programs: PolicyPrograms, index: number, bindings: ExpressionBindings): string {
  const program = programs.messages[index]?.program
  const { value } = program?.evaluate(bindings) ?? {}
  const text = typeof value === 'string' ? value.trim() : ''
  const isUsable = !text.includes('\n') && Buffer.byteLength(text) <= messageBytesMax
  return isUsable ? text : ''
}
