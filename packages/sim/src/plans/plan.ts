import type { CallFault } from '../external/external-world.ts'
import type { RequestFault } from '../world/simulated-process.ts'

/** One fault. `write`, `call` and `change` count from 1 since the step began. */
export type Fault =
  /** Around one write of the program. */
  | { readonly type: RequestFault; readonly write: number }
  /** The process crashes after the write, and starts again only after this time. */
  | { readonly type: 'crash-long'; readonly write: number; readonly downMs: number }
  /** Another client changes the object right before the write. */
  | { readonly type: 'conflict'; readonly write: number }
  /** The API server answers the write with an error, and does not execute it. */
  | { readonly type: 'error'; readonly write: number; readonly code: 429 | 500 | 503 | 504 }
  /** The user does the next step right before the write. */
  | { readonly type: 'next-step'; readonly write: number }
  /** The program's view of the resource that it writes stays at the state before the write. */
  | { readonly type: 'lag'; readonly write: number; readonly forMs: number }
  /** The program's view of a resource stays at the state before the step. */
  | { readonly type: 'hold'; readonly resource: string; readonly forMs: number }
  /** The program sees nothing of these steps, then its watches expire and it lists again. */
  | { readonly type: 'relist'; readonly steps: number }
  /** The program does not run during these steps: it never sees their states. */
  | { readonly type: 'absent'; readonly steps: number }
  /**
   * After these steps the program crashes and starts at an API server whose watch cache shows the
   * state after a change of the first step, or before it (0), of one resource or of all.
   */
  | {
      readonly type: 'travel'
      readonly change: number
      readonly steps: number
      readonly resource?: string
      readonly forMs: number
    }
  /** The controllers of Kubernetes see everything later. */
  | { readonly type: 'slow-controllers'; readonly byMs: number }
  /** Lists are answered in the opposite order. */
  | { readonly type: 'reversed-lists' }
  /** The leader stops right before a write, another replica takes over, and the first wakes up. */
  | { readonly type: 'pause'; readonly write: number; readonly forMs: number }
  /** The wall clock of the program jumps. */
  | { readonly type: 'clock'; readonly byMs: number }
  /** Around one call of an external system. */
  | { readonly type: CallFault; readonly call: number }
  /** Reads of external systems show the state before the latest change for this long. */
  | { readonly type: 'stale-calls'; readonly forMs: number }

/** A run to try: faults from the beginning of a step of the workload on. Data, to be stored. */
export interface Plan {
  readonly step: number
  readonly faults: readonly Fault[]
  /** A comparison of two runs without faults, instead of a run with faults. */
  readonly compare?: Comparison
}

/**
 * Comparisons that need no fault: the whole workload `uninterrupted` by restarts of the program, an
 * object that is `created` with the spec that another one has after a change, and a `second`
 * object whose names may collide.
 */
export type Comparison = 'uninterrupted' | 'created' | 'second'

/** A plan without faults repeats the fault-free run. */
export const noFaults = (step: number): Plan => ({ step, faults: [] })

/** How many steps of users a plan takes. */
export function stepsOf({ faults }: Plan): number {
  return Math.max(1, ...faults.map(stepsOfFault))
}

function stepsOfFault(fault: Fault): number {
  if (fault.type === 'next-step') return 2
  return 'steps' in fault ? fault.steps : 1
}

/** Whether the program may act on an old state because of the plan. */
export function makesStale({ faults }: Plan): boolean {
  return faults.some(({ type }) => stale.has(type))
}

const stale: ReadonlySet<string> = new Set(['lag', 'hold', 'travel'])
