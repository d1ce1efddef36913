import type { WorkMeter } from 'setpoint/schema'
import { LinearRegExp, withMeter } from 'setpoint/schema'
import { requestTooLarge } from '../status/index.ts'

/** A step takes 10 to 200 ns, so that one call takes less than a second. */
const stepsMax = 4_000_000

const compiled = new WeakMap<RegExp, LinearRegExp | 'too large'>()

/** Counts the work of one call, and matches patterns in linear time. */
class WorkBudget implements WorkMeter {
  #left = stepsMax
  readonly #spend = (steps: number): void => {
    this.spend(steps)
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) {
      throw requestTooLarge(
        `checking this object takes more than the ${stepsMax} steps that the embedded server allows for one request: make the object or its schema smaller`,
      )
    }
  }

  matches(regExp: RegExp, text: string): boolean {
    let linear = compiled.get(regExp)
    if (linear === undefined) {
      this.spend(regExp.source.length)
      linear = LinearRegExp.from(regExp) ?? 'too large'
      compiled.set(regExp, linear)
    }
    if (linear === 'too large') {
      throw requestTooLarge(
        'a pattern of the schema is larger than the embedded server allows: use smaller repetition counts',
      )
    }
    return linear.test(text, this.#spend)
  }
}

/**
 * Runs a function that works on what a client sent. 413 when it needs too many steps: the server
 * has one thread, and other clients wait meanwhile.
 */
export function withinBudget<T>(work: () => T): T {
  return withMeter(new WorkBudget(), work)
}
