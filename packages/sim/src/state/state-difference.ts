import type { CanonicalState } from './canonical-state.ts'

/** A difference between the expected state and the one that was reached. */
export interface Difference {
  readonly type: 'missing' | 'extra' | 'changed'
  readonly object: string
  /** The field of a changed object. */
  readonly field?: string
  readonly expected?: string | undefined
  readonly actual?: string | undefined
}

/** The differences, without the fields that two runs without faults do not agree on. */
export function stateDifferences(
  expected: CanonicalState,
  actual: CanonicalState,
  unstable: ReadonlySet<string> = new Set(),
): Difference[] {
  const differences: Difference[] = []
  for (const [object, { fields }] of expected) {
    const found = actual.get(object)?.fields
    if (found === undefined) {
      if (!unstable.has(object)) differences.push({ type: 'missing', object })
      continue
    }
    for (const field of new Set([...fields.keys(), ...found.keys()])) {
      const [before, after] = [fields.get(field), found.get(field)]
      if (before === after || unstable.has(`${object} ${field}`)) continue
      differences.push({ type: 'changed', object, field, expected: before, actual: after })
    }
  }
  for (const object of actual.keys()) {
    if (!expected.has(object) && !unstable.has(object)) differences.push({ type: 'extra', object })
  }
  return differences
}

/** What two runs without faults do not agree on: objects, and `object field`. */
export function unstableParts(one: CanonicalState, other: CanonicalState): Set<string> {
  return new Set(
    stateDifferences(one, other).map(({ object, field }) =>
      field === undefined ? object : `${object} ${field}`,
    ),
  )
}
