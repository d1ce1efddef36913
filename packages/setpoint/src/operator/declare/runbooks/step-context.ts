import type { RunCause } from '../../../definition/index.ts'
import type { IndexMap } from '../../../handlers/index.ts'
import type { Kind } from '../../../kinds/kind.ts'
import type { CacheView } from '../contexts.ts'
import type { TaskContext } from '../handler-contexts.ts'

/** What the functions of a step know about its run. */
interface RunFacts<Parameters> {
  /** The parameters of the run, checked and with defaults. */
  readonly parameters: Parameters
  /** Why the run was started. `cause.before` has the former values of changed fields. */
  readonly cause: RunCause
  /** The number of the run. */
  readonly run: number
  /** 1 for the first attempt of the step. */
  readonly attempt: number
  /** The results of the steps before, by their names in the status. */
  readonly results: Readonly<Record<string, unknown>>
}

/** The second argument of the functions of a step that decide and write nothing. */
export interface StepView<Read extends Kind = Kind, Parameters = unknown>
  extends CacheView<Read>, RunFacts<Parameters> {
  /** The time in epoch milliseconds. On a virtual host it is virtual time. */
  now(this: void): number
}

/**
 * The second argument of the function of a step: that of a timer, and what is known about the run.
 * The signal is aborted at the timeout, when the run is cancelled, when the object is deleted, and
 * when the process stops.
 */
export interface StepContext<
  D extends Kind = Kind,
  Read extends Kind = Kind,
  Owned extends Kind = Kind,
  Indexes extends IndexMap = IndexMap,
  Parameters = unknown,
>
  extends TaskContext<D, Read, Owned, Indexes>, RunFacts<Parameters> {}
