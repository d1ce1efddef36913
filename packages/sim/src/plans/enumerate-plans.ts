import type { StepRun } from '../world/step-run.ts'
import type { Plan } from './plan.ts'

/** How long a view is stale: longer than the program's own timeouts for writes. */
const holdMs = 60_000

/** Single faults for a step, from its run without faults; the most destructive ones first. */
export function plansForStep(
  step: number,
  run: StepRun,
  { resources, isLast }: { readonly resources: readonly string[]; readonly isLast: boolean },
): Plan[] {
  const numbered = run.writes.map((write, index) => ({ ...write, number: index + 1 }))
  const ordered = numbered.toSorted((left, right) => risk(left.method) - risk(right.method))
  const crashes = ordered.flatMap(({ number }): Plan[] => [
    { step, faults: [{ type: 'crash-after', write: number }] },
    { step, faults: [{ type: 'lose-answer', write: number }] },
  ])
  // A crash before a later write is the same as one after the write before it.
  const first: Plan[] =
    numbered.length === 0 ? [] : [{ step, faults: [{ type: 'crash-before', write: 1 }] }]
  const held = resources.map((resource): Plan => ({
    step,
    faults: [{ type: 'hold', resource, forMs: holdMs }],
  }))
  const absent: Plan[] = [
    { step, faults: [{ type: 'absent', steps: 1 }] },
    ...(isLast ? [] : [{ step, faults: [{ type: 'absent' as const, steps: 2 }] }]),
  ]
  return [...crashes, ...first, ...absent, ...held]
}

function risk(method: string): number {
  return { DELETE: 0, POST: 1 }[method] ?? 2
}
