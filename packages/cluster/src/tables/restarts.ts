import { isSet, timeSince, type Timestamp } from './age.ts'
import type { ContainerStatus } from './kinds/pod-shape.ts'

/** The number of restarts of containers, and the time of the last one. */
export class Restarts {
  readonly #count: number
  readonly #last: Timestamp

  constructor(statuses: readonly ContainerStatus[]) {
    this.#count = statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
    const ends = statuses
      .map(({ lastState }) => lastState?.terminated?.finishedAt)
      .filter((time) => isSet(time))
    // Canonical times can be compared as strings.
    this.#last = ends.sort().at(-1)
  }

  /** `3`, or `3 (10m ago)` when the time is known. */
  text(nowMs: number): string {
    if (this.#count === 0 || !isSet(this.#last)) return String(this.#count)
    return `${this.#count} (${timeSince(this.#last, nowMs)} ago)`
  }
}
