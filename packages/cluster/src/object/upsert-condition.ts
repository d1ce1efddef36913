interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string | null
}

/** Replaces the condition of the same type in place, or appends the condition. */
export function upsertCondition<C extends Pick<Condition, 'type'>>(
  conditions: readonly C[],
  condition: C,
): C[] {
  const index = conditions.findIndex(({ type }) => type === condition.type)
  return index === -1
    ? [...conditions, condition]
    : conditions.map((existing, at) => (at === index ? condition : existing))
}

/** The lastTransitionTime of a condition with this status: it changes only with the status. */
export function transitionTime(
  existing: Pick<Condition, 'status' | 'lastTransitionTime'> | undefined,
  status: string,
  now: string,
): string {
  return existing?.status === status ? (existing.lastTransitionTime ?? now) : now
}
