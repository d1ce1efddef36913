import type { PolicyPrograms } from 'setpoint/cel'
import type { ExpressionBindings } from '../expression-bindings.ts'
import { conditionsMatch, outOfBudget } from '../match-conditions.ts'
import type { PolicySpec } from './bound-policy.ts'
import { LazyVariables } from './lazy-variables.ts'

/** A validation that was not true, or could not be evaluated. */
export interface PolicyFailure {
  readonly message: string
  /** Why the server refuses; `undefined` after an error. */
  readonly reason?: string
  /** Which expression it is. */
  readonly index: number
}

/** What a policy says about a write. */
export interface PolicyResult {
  readonly failures: readonly PolicyFailure[]
  readonly annotations: readonly { readonly key: string; readonly value: string }[]
  /** Annotations that could not be evaluated: they deny, whatever the binding says. */
  readonly annotationErrors: readonly string[]
}

/** The largest cost of the validations of a policy for one write. */
const validationsBudget = 10_000_000

/** The longest result of a message expression, in bytes. */
const messageBytesMax = 5 * 1024

const nothing: PolicyResult = { failures: [], annotations: [], annotationErrors: [] }

/** The result of a policy for a write and its parameters; empty if it is not about the write. */
export function evaluatePolicy(
  spec: PolicySpec,
  programs: PolicyPrograms,
  given: ExpressionBindings,
): PolicyResult {
  const errorOf = (message: string, index: number): PolicyFailure[] =>
    spec.failurePolicy === 'Ignore' ? [] : [{ message, index }]
  const onError = (message: string): PolicyResult => ({
    ...nothing,
    failures: errorOf(message, 0),
  })
  const conditions = (spec.matchConditions ?? []).map(({ expression }, index) => ({
    expression,
    compiled: programs.matchConditions[index] ?? { problem: 'missing' },
  }))
  const matches = conditionsMatch(conditions, given)
  if (matches === false) return nothing
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
      failures.push(...errorOf(error, index))
      continue
    }
    if (value === true) continue
    const { reason = 'Invalid', message = '', expression } = validation
    const stated = messageOf(programs, index, bindings)
    const fallback = message === '' ? `failed expression: ${expression.trim()}` : message.trim()
    failures.push({ message: stated === '' ? fallback : stated, reason, index })
  }
  return { failures, ...annotationsOf(spec, programs, bindings) }
}

/** Empty values and nulls leave an annotation out. */
function annotationsOf(
  { auditAnnotations = [], failurePolicy }: PolicySpec,
  programs: PolicyPrograms,
  bindings: ExpressionBindings,
): Pick<PolicyResult, 'annotations' | 'annotationErrors'> {
  const annotations: { key: string; value: string }[] = []
  const annotationErrors: string[] = []
  for (const [index, { key, valueExpression }] of auditAnnotations.entries()) {
    const { program, problem } = programs.auditAnnotations[index] ?? { problem: 'missing' }
    const { value, error } = program?.evaluate(bindings) ?? {}
    if (program === undefined) annotationErrors.push(`compilation error: ${problem}`)
    else if (error !== undefined) {
      annotationErrors.push(`expression '${valueExpression}' resulted in error: ${error}`)
    } else if (typeof value === 'string' && value.trim() !== '') {
      annotations.push({ key, value: value.trim() })
    }
  }
  return { annotations, annotationErrors: failurePolicy === 'Ignore' ? [] : annotationErrors }
}

function messageOf(programs: PolicyPrograms, index: number, bindings: ExpressionBindings): string {
  const program = programs.messages[index]?.program
  const { value } = program?.evaluate(bindings) ?? {}
  const text = typeof value === 'string' ? value.trim() : ''
  const isUsable = !text.includes('\n') && Buffer.byteLength(text) <= messageBytesMax
  return isUsable ? text : ''
}
