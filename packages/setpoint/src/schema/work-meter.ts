/**
 * Bounds the work of one call. A server that validates what strangers send cannot let one schema or
 * value keep it busy: it runs the functions of this folder inside `withMeter`. They are
 * synchronous, so the meter of the innermost call is the current one.
 */
export interface WorkMeter {
  /** Counts steps of work. Throws when there were too many. */
  spend(steps: number): void
  /** Whether the text matches, in a time that the meter bounds. */
  matches(regExp: RegExp, text: string): boolean
}

let current: WorkMeter | undefined

/** Runs a function with a meter. */
export function withMeter<T>(meter: WorkMeter, work: () => T): T {
  const outer = current
  current = meter
  try {
    return work()
  } finally {
    current = outer
  }
}

/** Counts work, if there is a meter. */
export function spend(steps: number): void {
  current?.spend(steps)
}

/** Tests a translated pattern. Without a meter, the author of the pattern is trusted. */
export function matches(regExp: RegExp, text: string): boolean {
  return current?.matches(regExp, text) ?? regExp.test(text)
}
