import type { Step } from '../../test/conformance/conformance-case.ts'

/** A step with what the report groups it by. */
export interface FuzzStep {
  readonly step: Step
  readonly verb: string
  readonly resource: string
  readonly mutation: string
}

/** A script of random requests. Its number and the seed decide everything. */
export interface FuzzScript {
  readonly steps: readonly FuzzStep[]
  readonly cleanup: readonly string[]
}
