/**
 * The first items of a list and the number of the others: `a,b,c + 2 more...`. A service may have a
 * thousand endpoints.
 */
export function shortenedList(
  items: readonly string[],
  { max = 3, separator = ',' }: { readonly max?: number; readonly separator?: string } = {},
): string {
  const shown = items.slice(0, max).join(separator)
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown
}
