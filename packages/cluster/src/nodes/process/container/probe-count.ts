import type { Frozen } from 'setpoint'
import type { Probe } from 'setpoint/kinds'

/** The outcome of one try. */
export interface ProbeResult {
  readonly isOk: boolean
  /** What it said, or why it failed. */
  readonly output: string
}

/** Counts the results of a probe in a row; so many of one kind are a verdict. */
export class ProbeCount {
  readonly #probe: Frozen<Probe>
  #isOk: boolean | undefined
  #count = 0

  constructor(probe: Frozen<Probe>) {
    this.#probe = probe
  }

  /** What the results up to this one amount to; `undefined` when it takes more of them. */
  add(isOk: boolean): 'passed' | 'failed' | undefined {
    this.#count = isOk === this.#isOk ? this.#count + 1 : 1
    this.#isOk = isOk
    const { successThreshold = 1, failureThreshold = 3 } = this.#probe
    if (this.#count < (isOk ? successThreshold : failureThreshold)) return undefined
    return isOk ? 'passed' : 'failed'
  }
}
