import type { WriteFault } from '../world/simulated-process.ts'

/** One fault. `write` counts the writes of the program since the step began, from 1. */
export type Fault =
  | { readonly type: WriteFault; readonly write: number }
  /** The watches of a resource deliver nothing for this long. */
  | { readonly type: 'hold'; readonly resource: string; readonly forMs: number }
  /** The program does not run during this step and the next ones: it never sees their states. */
  | { readonly type: 'absent'; readonly steps: number }

/** A run to try: faults from the beginning of a step of the workload on. Data, to be stored. */
export interface Plan {
  readonly step: number
  readonly faults: readonly Fault[]
}

/** A plan without faults repeats the fault-free run. */
export const noFaults = (step: number): Plan => ({ step, faults: [] })

export function planText({ faults }: Plan): string {
  return faults.map(faultText).join(' and ')
}

function faultText(fault: Fault): string {
  switch (fault.type) {
    case 'crash-before':
      return `the process crashes before its write ${fault.write}`
    case 'crash-after':
      return `the process crashes after its write ${fault.write}, without its answer`
    case 'lose-answer':
      return `the answer to write ${fault.write} is lost`
    case 'hold':
      return `watches of ${fault.resource} deliver nothing for ${fault.forMs / 1000} s`
    case 'absent':
      return `the program does not run during ${fault.steps} steps`
  }
}
