import type { PodObject } from '../pods/pod-state.ts'
import type { JobObject } from './job-rules.ts'
import type { JobTally } from './job-tally.ts'

/** How a Job ends. The Job finishes after its remaining pods are gone. */
export interface JobOutcome {
  readonly type: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

/** The interim condition of each outcome. */
export const interimConditions = {
  Complete: 'SuccessCriteriaMet',
  Failed: 'FailureTarget',
} as const

/** The outcome of a Job that has reached its completions, or of a finished work queue. */
export const completionsReached: JobOutcome = {
  type: 'Complete',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
}

/** The state by which the end of a Job is decided. */
export interface JobState {
  readonly job: JobObject
  readonly pods: readonly PodObject[]
  readonly tally: JobTally
  /** When the Job started, in epoch milliseconds. */
  readonly startMs: number | undefined
  readonly nowMs: number
}

/** The Job has failed. */
export function jobFailure(reason: string, message: string): JobOutcome {
  return { type: 'Failed', reason, message }
}
