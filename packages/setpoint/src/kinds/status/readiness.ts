import { isTerminating } from '../is-terminating.ts'

/**
 * The result of a status helper: whether the object is ready, and the reason as text for the
 * message of a condition. Both come from one place, so that they cannot contradict each other.
 */
export interface Readiness {
  readonly isDone: boolean
  readonly words: string
}

/** The object is ready. */
export function done(words: string): Readiness {
  return { isDone: true, words }
}

/** The object is not ready yet, or needs help; the text says which. */
export function waiting(words: string): Readiness {
  return { isDone: false, words }
}

interface Generational {
  readonly metadata?:
    | {
        readonly generation?: number | undefined
        readonly deletionTimestamp?: string | null | undefined
      }
    | undefined
  readonly status?: { readonly observedGeneration?: number | undefined } | undefined
}

/**
 * Why the numbers in a workload's status do not describe its spec yet: it does not exist, it is
 * terminating, or its controller has not observed the latest change. Undefined once they do.
 */
export function unreportedReason(object: Generational | undefined): string | undefined {
  if (object === undefined) return notCreated
  const { generation = 0 } = object.metadata ?? {}
  if (isTerminating(object)) return beingDeleted
  if ((object.status?.observedGeneration ?? 0) < generation) {
    return `waiting for the controller to observe generation ${generation}`
  }
  // Only part of an object was given: zeros that no controller reported must not look like success.
  return Object.keys(object.status ?? {}).length === 0 ? noStatus : undefined
}

/** For a child that is desired but does not exist. */
export const notCreated = 'not created yet'

/** For an object without a reported status. */
const noStatus = 'no status yet'

/** For a terminating object, with any status. */
export const beingDeleted = 'being deleted'

/** `2 of 3 replicas updated`: the common form of all helpers. */
export function countOf(
  part: number,
  whole: number,
  nounAndState: readonly [string, string],
): string {
  const [noun, state] = nounAndState
  return `${part} of ${plural(whole, noun)} ${state}`
}

/** `1 pod`, `2 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Joins the known parts with `: `: `failed: BackoffLimitExceeded`. */
export function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => isSet(part) && part !== '').join(': ')
}

/** Optional fields may be absent, and times may be null. */
export function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}
