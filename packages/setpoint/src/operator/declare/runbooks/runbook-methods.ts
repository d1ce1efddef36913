import type * as core from 'zod/v4/core'
import type { IndexMap } from '../../../handlers/index.ts'
import type { Kind } from '../../../kinds/kind.ts'
import { HandlerMethods } from '../handler-methods.ts'
import type { OwnerOf } from '../operator-types.ts'
import { withRunbook } from './declare-runbook.ts'
import type { CheckedRunbook, RunbookOptions } from './runbook-options.ts'
import { type Step, type StepBuilder, stepBuilder } from './step.ts'
import type { StepContext, StepView } from './step-context.ts'

/** The method that declares runbooks. */
export abstract class RunbookMethods<
  D extends Kind,
  Owned extends Kind,
  Read extends Kind,
  Indexes extends IndexMap,
> extends HandlerMethods<D, Owned, Read, Indexes> {
  /**
   * Declares a runbook: steps that run one after the other, with their progress in the status, and
   * that continue after a restart of the operator. A change, a schedule or a person starts it. One
   * run of an object is in progress at a time. The definition lists its name in `runbooks`.
   *
   *     .runbook('upgrade', { on: { changed: 'spec.version' } }, ({ step }) => [
   *       step('backup', Job, (db) => backupJob(db)),
   *       step('migrate', async (db, { signal }) => migrate(db, signal)),
   *     ])
   */
  runbook<
    const Name extends string,
    const Path extends string = never,
    Parameters extends core.$ZodType = core.$ZodType<undefined>,
  >(
    name: Name & CheckedRunbook<D, Name>,
    options: RunbookOptions<D, Path, Parameters>,
    steps: (
      builder: StepBuilder<
        OwnerOf<D>,
        StepView<Read, core.output<Parameters>>,
        StepContext<D, Read, Owned, Indexes, core.output<Parameters>>
      >,
    ) => readonly Step[],
  ): this {
    // The declaration holds runbooks of all types.
    const loose = options as unknown as RunbookOptions
    const made = (steps as unknown as (builder: StepBuilder) => readonly Step[])(stepBuilder)
    return this.also(withRunbook(this.declaration, name, { options: loose, steps: made }))
  }
}
