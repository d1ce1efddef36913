/**
 * The items of a list that an object must have: Go prints null for it when it does not, which the types
 * of valid objects do not tell.
 */
export function itemsOf<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? []
}
