import { CelError, CelMap, type CelResult, type CelValue, type PolicyPrograms } from 'setpoint/cel'
import type { ExpressionBindings } from '../expression-bindings.ts'

/** `variables` of a policy: each is evaluated when an expression reads it for the first time. */
export class LazyVariables extends CelMap {
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
