/**
 * The first few of a list, and how many there are beyond: `a,b,c + 2 more...`. Tables stay readable
 * although a service may have a thousand endpoints.
 */
export function shortenedList(
  items: readonly string[],
  { max = 3, separator = ',' }: { readonly max?: number; readonly separator?: string } = {},
): string {
  const shown = items.slice(0, max).join(separator)
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown
}
