import { onAbort } from 'setpoint/host'

/** Keys that one part of a program hands to an operator of another, each at most once until it is taken. */
export class KeyFeed {
  readonly #keys = new Set<string>()
  #wake: (() => void) | undefined

  add(key: string): void {
    this.#keys.add(key)
    this.#wake?.()
  }

  /** The keys as they come, until the signal is aborted. */
  async *keys(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const stop = onAbort(signal, () => this.#wake?.())
    try {
      while (!signal.aborted) {
        for (const key of this.#keys) {
          this.#keys.delete(key)
          yield key
        }
        if (this.#keys.size > 0) continue
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      stop()
    }
  }
}
