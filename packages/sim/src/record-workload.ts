import { recordReference, type Reference } from './reference.ts'
import { existingIn } from './state/canonical-state.ts'
import { noRandomNames } from './state/random-names.ts'
import type { Sample, Step } from './workload/step.ts'
import { firstCheckpoint } from './world/first-checkpoint.ts'
import { leftOut, withoutUnread } from './world/left-out.ts'
import type { RunContext } from './world/step-run.ts'

/** What is simulated, and how; the rest of a context follows from the first checkpoint. */
type CommonContext = Omit<RunContext, 'existing' | 'leaveOut' | 'randomNames'>

/**
 * Records the workload without faults. It is recorded again if the program turns out to read what
 * was left out, or to give random names.
 */
export async function recordWorkload(
  common: CommonContext,
  { others, steps }: { readonly others: readonly Sample[]; readonly steps: readonly Step[] },
): Promise<{ readonly context: RunContext; readonly reference: Reference }> {
  let leaveOut = leftOut
  let randomNames = noRandomNames
  for (;;) {
    const first = await firstCheckpoint({ ...common, others, leaveOut })
    const context = { ...common, leaveOut, randomNames, existing: existingIn(first.cluster) }
    const reference = await recordReference(context, first, steps)
    const reads = reference.runs.flatMap((run) => [...run.reads.keys()])
    const unread = withoutUnread(reads)
    const fitting = leaveOut.filter((part) => unread.includes(part))
    const isNamed = reference.randomNames.prefixes.every((prefix) =>
      randomNames.prefixes.includes(prefix),
    )
    if (isNamed && fitting.length === leaveOut.length) return { context, reference }
    leaveOut = fitting
    if (!isNamed) randomNames = reference.randomNames
  }
}
