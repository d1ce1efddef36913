/**
 * What a status helper found out: whether the wait is over, and why or why not in words that fit a
 * condition's message. Both come from one place so that they cannot contradict each other.
 */
export interface Verdict {
  readonly isDone: boolean
  readonly words: string
}

/** The wait is over. */
export function done(words: string): Verdict {
  return { isDone: true, words }
}

/** Not yet, or never without help; the words tell which. */
export function waiting(words: string): Verdict {
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
 * Why the numbers in a workload's status say nothing about its spec yet: it does not exist, is about
 * to disappear, or its controller has not seen the latest change. Undefined once they can be trusted.
 */
export function notYetTelling(object: Generational | undefined): string | undefined {
  if (object === undefined) return notCreated
  const { generation = 0, deletionTimestamp } = object.metadata ?? {}
  if (isSet(deletionTimestamp)) return beingDeleted
  if ((object.status?.observedGeneration ?? 0) < generation) {
    return `waiting for the controller to observe generation ${generation}`
  }
  // Only part of an object was given: zeros that nobody reported must not look like success.
  return Object.keys(object.status ?? {}).length === 0 ? noStatus : undefined
}

/** For a child that is desired but not there. */
export const notCreated = 'not created yet'

/** For an object about which nobody has reported anything. */
const noStatus = 'no status yet'

/** For an object with a deletion timestamp, whatever its status still says. */
export const beingDeleted = 'being deleted'

/** `2 of 3 replicas updated`: the form in which all helpers count. */
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

/** Joins what is known with `: `, skipping what is not: `failed: BackoffLimitExceeded`. */
export function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => isSet(part) && part !== '').join(': ')
}

/** Optional fields arrive absent, and times sometimes as null. */
export function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null
}
