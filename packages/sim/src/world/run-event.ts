import type { StoredChange } from '@setpoint/cluster'
import type { Fault, Plan } from '../plans/plan.ts'
import type { Step } from '../workload/step.ts'
import type { RecordedWrite } from './recording.ts'

/** Something that happens in a run, for its timeline. Times are virtual, since the world began. */
export type RunEvent =
  /** A world begins from a checkpoint. */
  | { readonly is: 'open'; readonly plan: Plan }
  /** It ends: these are all writes of the program in it. */
  | { readonly is: 'close'; readonly writes: readonly RecordedWrite[] }
  /** The program is at a fixed point; writes of a plan count from the next one on. */
  | { readonly is: 'begin'; readonly timeMs: number; readonly writes: number }
  /** The user begins a step, and has done it. */
  | {
      readonly is: 'step'
      readonly timeMs: number
      readonly step: Step
      /** The simulated resource: `example.com/shops`. */
      readonly subject: string
    }
  | { readonly is: 'done'; readonly timeMs: number; readonly refusal: string | undefined }
  | {
      readonly is: 'started' | 'crashed' | 'ended'
      readonly timeMs: number
      readonly process: number
    }
  | { readonly is: 'fault' | 'fault-over'; readonly timeMs: number; readonly fault: Fault }
  /** The API server answered a write of the program. */
  | { readonly is: 'answered'; readonly timeMs: number; readonly write: RecordedWrite }
  | {
      readonly is: 'change'
      readonly timeMs: number
      readonly change: StoredChange
    }
  | { readonly is: 'error'; readonly timeMs: number; readonly text: string }

/** Receives the events of runs, in the order in which they happen. */
export type RunObserver = (event: RunEvent) => void
