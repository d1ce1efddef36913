const firstMs = 1_000
const maxMs = 15 * 60_000

interface Wait {
  readonly lengthMs: number
  readonly sinceMs: number
}

/**
 * The backoff before a failed pod on a node is replaced, so that pods are not created in a loop on
 * a node that refuses them. An entry expires after twice the longest backoff.
 */
export class FailedPodBackoff {
  readonly #waits = new Map<string, Wait>()

  /**
   * Returns the rest of the backoff for a key, or 0: then the pod may be replaced, and the next
   * backoff is longer.
   */
  tryNow(key: string, nowMs: number): number {
    for (const [other, { sinceMs }] of this.#waits) {
      if (nowMs - sinceMs > 2 * maxMs) this.#waits.delete(other)
    }
    const wait = this.#waits.get(key)
    const restMs = wait === undefined ? 0 : wait.sinceMs + wait.lengthMs - nowMs
    if (restMs > 0) return restMs
    const lengthMs = wait === undefined ? firstMs : Math.min(2 * wait.lengthMs, maxMs)
    this.#waits.set(key, { lengthMs, sinceMs: nowMs })
    return 0
  }
}
