/** An object with the usual list of conditions in its status, as far as it has come. */
interface WithConditions<C> {
  readonly status?: { readonly conditions?: readonly C[] | null | undefined } | undefined
}

/**
 * The condition of that type, or undefined while nobody has reported it (or the object is not there
 * yet). An absent condition means "unknown", so compare its `status` with `'True'`, not with presence.
 */
export function conditionOf<C extends { readonly type?: string | undefined }>(
  object: WithConditions<C> | undefined,
  type: NonNullable<C['type']>,
): C | undefined {
  return object?.status?.conditions?.find((condition) => condition.type === type)
}
