const firstMs = 1_000
const maxMs = 15 * 60_000

interface Wait {
  readonly lengthMs: number
  readonly sinceMs: number
}

/**
 * How long a failed pod on a node is left alone before it is replaced: a node that refuses pods would otherwise be asked
 * again and again. What has been well for twice the longest wait is forgotten.
 */
export class FailedPodBackoff {
  readonly #waits = new Map<string, Wait>()

  /** The rest of the wait for a key, or 0: then the pod may be replaced, and the next wait is longer. */
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
