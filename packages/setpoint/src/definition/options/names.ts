/** The names of a resource, derived from the kind. */

/** The English plural of a kind in lower case, for URLs. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase()
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`
  return `${singular}s`
}
