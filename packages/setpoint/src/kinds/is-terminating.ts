/**
 * Whether an object is terminating: it was deleted, and finalizers or a grace period still keep it.
 * Use it before you count an object, or wait for it: a terminating object does not stay.
 */
export function isTerminating(object: {
  readonly metadata?: { readonly deletionTimestamp?: string | null | undefined } | undefined
}): boolean {
  const deletionTimestamp = object.metadata?.deletionTimestamp
  return deletionTimestamp !== undefined && deletionTimestamp !== null
}
