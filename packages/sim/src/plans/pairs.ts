import type { Fault, Plan } from './plan.ts'

/** Pairs of faults in one step: a crash with an old view, with other users, or with another crash. */
export function pairsOf(singles: readonly Plan[]): Plan[] {
  const bySteps = new Map<number, Fault[]>()
  for (const { step, faults } of singles) {
    bySteps.set(step, [...(bySteps.get(step) ?? []), ...faults])
  }
  return [...bySteps].flatMap(([step, faults]) => {
    const first = faults.filter(({ type }) => type === 'crash-after' || type === 'lose-answer')
    const second = faults.filter(({ type }) => combined.has(type))
    return first.flatMap((one) =>
      second
        .filter((other) => canFollow(one, other))
        .map((other): Plan => ({ step, faults: [one, other] })),
    )
  })
}

const combined: ReadonlySet<Fault['type']> = new Set([
  'crash-after',
  'conflict',
  'hold',
  'lag',
  'next-step',
  'slow-controllers',
])

/** Two faults cannot hit one write, and the second one has to come later. */
function canFollow(one: Fault, other: Fault): boolean {
  if (!('write' in one) || !('write' in other)) return true
  return other.write > one.write
}
