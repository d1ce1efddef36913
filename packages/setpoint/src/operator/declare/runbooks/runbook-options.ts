import type * as core from 'zod/v4/core'
import type { WhileRunning } from '../../../runbooks/index.ts'
import type { Kind } from '../../../kinds/kind.ts'
import type { CheckedField } from '../handler-contexts.ts'
import type { OwnerOf } from '../operator-types.ts'

/** The names in the option `runbooks` of a definition. */
export type RunbookNames<D extends Kind> = D extends {
  readonly runbooks: readonly (infer Name extends string)[]
}
  ? Name
  : never

/** The name itself if the definition has the runbook, else a string type with the error message. */
export type CheckedRunbook<D extends Kind, Name extends string> =
  Name extends RunbookNames<D> ? Name : 'add it to the option runbooks of defineResource'

/** What starts a run. Every runbook can be started by hand as well. */
export type RunbookTrigger<Path extends string> =
  /** Once for every object. An object that existed before the runbook counts as new. */
  | 'create'
  /** When one of these fields changes. The first value starts nothing. */
  | { readonly changed: Path | readonly Path[] }
  /** At the times of a cron expression, as CronJobs read it. Times that were missed count as one. */
  | { readonly schedule: string; readonly timeZone?: string }

/** The options of `.runbook`. */
export interface RunbookOptions<
  D extends Kind = Kind,
  Path extends string = string,
  Parameters extends core.$ZodType = core.$ZodType,
> {
  /** What starts a run, besides a request of a person. */
  readonly on?:
    | RunbookTrigger<Path & CheckedField<OwnerOf<D>, Path>>
    | readonly RunbookTrigger<Path & CheckedField<OwnerOf<D>, Path>>[]
  /**
   * The parameters of a run. A request with other parameters is refused. Runs that no person
   * requested have the defaults, so every parameter needs one if `on` is given.
   */
  readonly parameters?: Parameters
  /**
   * What happens when a run should start while another run of the object is in progress; `queue` by
   * default.
   */
  readonly whileRunning?: WhileRunning
  /** The runbook that runs after a run of this one failed. */
  readonly onFailure?: RunbookNames<D>
  /** How many runs before the last one the status keeps; 5 by default. */
  readonly history?: number
}
