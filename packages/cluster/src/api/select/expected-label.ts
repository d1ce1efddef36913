import type { Requirement } from './requirement.ts'

const integer = /^[+-]?\d+$/

/**
 * All requirements of a selector on one label. A selector can have thousands, and a list can have
 * as many objects, so that checking them one after the other for each object would take too long.
 */
export class ExpectedLabel {
  #isRequired = false
  #isForbidden = false
  #allowed: ReadonlySet<string> | undefined
  readonly #refused = new Set<string>()
  #above: bigint | undefined
  #below: bigint | undefined

  /** Whether objects without the label do not match. */
  get isRequired(): boolean {
    return this.#isRequired
  }

  add({ operator, values }: Requirement): void {
    const bound = BigInt(operator === 'gt' || operator === 'lt' ? (values[0] ?? '0') : 0)
    switch (operator) {
      case 'in':
      case '=':
      case '==': {
        const before = this.#allowed
        const both = before === undefined ? values : values.filter((value) => before.has(value))
        this.#allowed = new Set(both)
        break
      }
      case 'notin':
      case '!=':
        for (const value of values) this.#refused.add(value)
        return
      case '!':
        this.#isForbidden = true
        return
      case 'gt':
        if (this.#above === undefined || bound > this.#above) this.#above = bound
        break
      case 'lt':
        if (this.#below === undefined || bound < this.#below) this.#below = bound
        break
      case 'exists':
        break
    }
    this.#isRequired = true
  }

  /** Whether an object matches that has the label with this value. */
  accepts(value: string): boolean {
    if (this.#isForbidden || this.#refused.has(value)) return false
    if (this.#allowed?.has(value) === false) return false
    if (this.#above === undefined && this.#below === undefined) return true
    if (!integer.test(value)) return false
    const number = BigInt(value)
    const isAbove = this.#above === undefined || number > this.#above
    return isAbove && (this.#below === undefined || number < this.#below)
  }
}
