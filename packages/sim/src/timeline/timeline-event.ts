/** Something that happened in a run, for people. */
export interface TimelineEvent {
  readonly is: 'run' | 'step' | 'process' | 'fault' | 'change' | 'write' | 'error'
  /** Virtual time since the first step of its run; negative before it. */
  readonly atMs: number
  readonly text: string
  /** The fields that a change changed. */
  readonly details: readonly string[]
}
