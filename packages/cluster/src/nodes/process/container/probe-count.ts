import type { Frozen } from 'setpoint'
import type { Probe } from 'setpoint/kinds'

/** The result of one probe. */
export interface ProbeResult {
  readonly isOk: boolean
  /** The output, or why it failed. */
  readonly output: string
}

/** Counts consecutive results of a probe, and applies its thresholds. */
export class ProbeCount {
  readonly #probe: Frozen<Probe>
  #isOk: boolean | undefined
  #count = 0

  constructor(probe: Frozen<Probe>) {
    this.#probe = probe
  }

  /** The state after this result; `undefined` if no threshold is reached. */
  add(isOk: boolean): 'passed' | 'failed' | undefined {
    this.#count = isOk === this.#isOk ? this.#count + 1 : 1
    this.#isOk = isOk
    const { successThreshold = 1, failureThreshold = 3 } = this.#probe
    if (this.#count < (isOk ? successThreshold : failureThreshold)) return undefined
    return isOk ? 'passed' : 'failed'
  }
}
