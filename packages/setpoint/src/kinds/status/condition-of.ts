/** An object with conditions in its status, if it has any yet. */
interface WithConditions<C> {
  readonly status?: { readonly conditions?: readonly C[] | null | undefined } | undefined
}

/**
 * The condition of that type, or undefined while no controller has reported it (or the object does
 * not exist yet). An absent condition means "unknown", so compare its `status` with `'True'`, not
 * with presence.
 */
export function conditionOf<C extends { readonly type?: string | undefined }>(
  object: WithConditions<C> | undefined,
  type: NonNullable<C['type']>,
): C | undefined {
  return object?.status?.conditions?.find((condition) => condition.type === type)
}
