import { CelError, CelMap, type CelResult, type CelValue } from 'setpoint/cel'
import type { PolicyPrograms } from '../../expressions/index.ts'
import type { ExpressionBindings } from '../expression-bindings.ts'
import { conditionsMatch, outOfBudget } from '../match-conditions.ts'
import type { PolicySpec } from './bound-policy.ts'

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

/** `variables` of a policy: each is evaluated when an expression reads it for the first time. */
class LazyVariables extends CelMap {
  readonly bindings: ExpressionBindings
  readonly #programs: PolicyPrograms['variables']
  readonly #known = new Map<string, CelResult>()
  #cost = 0

  constructor({ variables }: PolicyPrograms, given: ExpressionBindings) {
    super()
    this.#programs = variables
    this.bindings = { ...given, variables: this }
  }

  get size(): number {
    return this.#programs.size
  }

  keys(): Iterable<CelValue> {
    return this.#programs.keys()
  }

  find(key: CelValue): CelResult | undefined {
    if (typeof key !== 'string') return undefined
    let value = this.#known.get(key)
    if (value === undefined) {
      const compiled = this.#programs.get(key)
      if (compiled === undefined) return undefined
      value = this.#evaluate(key, compiled)
      this.#known.set(key, value)
    }
    return value
  }

  /** The cost of the variables since the last call. */
  takeCost(): number {
    const cost = this.#cost
    this.#cost = 0
    return cost
  }

  #evaluate(
    name: string,
    { program, problem }: NonNullable<ReturnType<PolicyPrograms['variables']['get']>>,
  ): CelResult {
    if (program === undefined) {
      return new CelError(`composited variable "${name}" fails to compile: ${problem}`)
    }
    const { value, error, cost } = program.evaluate(this.bindings)
    this.#cost += cost
    if (error === undefined) return value
    return new CelError(`composited variable "${name}" fails to evaluate: ${error}`)
  }
}
