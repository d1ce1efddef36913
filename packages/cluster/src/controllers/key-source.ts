import { onAbort } from 'setpoint/host'

/**
 * A queue of keys from one part of the process to an operator. A key is queued at most once until
 * it is taken.
 */
export class KeySource {
  readonly #keys = new Set<string>()
  #wake: (() => void) | undefined

  add(key: string): void {
    this.#keys.add(key)
    this.#wake?.()
  }

  /** Yields keys as they are added, until the signal is aborted. */
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
