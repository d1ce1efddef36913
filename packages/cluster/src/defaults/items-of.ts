/**
 * The items of a required list: Go prints null when it is missing, which the types of valid objects
 * do not include.
 */
export function itemsOf<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? []
}
