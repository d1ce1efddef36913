import type { RetryOptions } from '../handlers/index.ts'
import type { Kind } from '../kinds/kind.ts'

/** What starts a run of a runbook. */
export type RunTrigger =
  /** An object without a state of this runbook, which is a new one. */
  | { readonly on: 'create' }
  /** A change of one of these fields. */
  | { readonly on: 'change'; readonly paths: readonly string[] }
  | { readonly on: 'schedule'; readonly nextMs: (afterMs: number) => number | undefined }

/**
 * What happens when a run should start while another run of the object is in progress. `queue`: it
 * waits. `restart`: a run of the same runbook is cancelled; it waits for others. `refuse`: it is
 * dropped.
 */
export type WhileRunning = 'queue' | 'restart' | 'refuse'

/** A group of steps. */
interface StepGroup {
  readonly is: 'serial' | 'parallel'
  readonly name: string
  readonly steps: readonly StepNode[]
}

/** The functions of a step get the object and a context, whose types only the author's code knows. */
type StepFunction<Result> = (owner: never, context: never) => Result

interface LeafOptions {
  readonly name: string
  /** The step is skipped if it returns false. */
  readonly when?: StepFunction<boolean> | undefined
  readonly retry: RetryOptions
  /** How long an attempt may take; for `until`, how long the step may wait. */
  readonly timeoutMs?: number | undefined
}

/** A single step. */
export type StepLeaf =
  | (LeafOptions & { readonly is: 'code'; readonly run: StepFunction<Promise<unknown>> })
  | (LeafOptions & {
      readonly is: 'object'
      readonly kind: Kind
      readonly desired: StepFunction<object>
      readonly readyWhen?: StepFunction<boolean> | undefined
      readonly failedWhen?: StepFunction<boolean> | undefined
    })
  | (LeafOptions & {
      readonly is: 'wait'
      readonly until: StepFunction<boolean | string>
      readonly everyMs: number
    })

/** A step, or a group of steps. */
export type StepNode = StepGroup | StepLeaf

/** A runbook without the types of its author. */
export interface RunbookDeclaration {
  readonly name: string
  readonly triggers: readonly RunTrigger[]
  readonly steps: readonly StepNode[]
  readonly whileRunning: WhileRunning
  /** The runbook that begins when this one failed. */
  readonly onFailure?: string | undefined
  /** How many runs before the last one are kept in the status. */
  readonly historyMax: number
  /** Checks the parameters of a request and applies defaults; throws for wrong ones. */
  readonly parse: (parameters: unknown) => unknown
}
