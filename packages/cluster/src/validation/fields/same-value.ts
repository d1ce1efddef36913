import { emptyMap } from '../../codec/index.ts'

/**
 * Whether two decoded values are semantically equal in Kubernetes: a missing list equals an empty
 * one. Quantities are canonical after decoding, so they need no special case.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  for (const key in a) if (!sameValue(a[key], b[key])) return false
  for (const key in b) if (!Object.hasOwn(a, key) && !isNothing(b[key])) return false
  return true
}

/** Like `sameValue`, for fields where Go distinguishes a missing map from an empty one. */
export function sameMap(a: unknown, b: unknown): boolean {
  return (a === undefined) === (b === undefined) && sameValue(a, b)
}

function isNothing(value: unknown): boolean {
  const isNone = value === undefined || value === null || value === emptyMap
  return isNone || (Array.isArray(value) && value.length === 0)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
