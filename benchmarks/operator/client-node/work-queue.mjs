const retryMs = 100
const retryMsMax = 30_000

/**
 * A work queue: each key is queued once, no key is processed in parallel, a failed key is retried
 * later.
 */
export class WorkQueue {
  #work
  #free
  #due = new Set()
  #busy = new Set()
  #failures = new Map()

  constructor(workers, work) {
    this.#free = workers
    this.#work = work
  }

  add(key) {
    this.#due.add(key)
    this.#handOut()
  }

  #handOut() {
    for (const key of this.#due) {
      if (this.#free === 0) return
      if (this.#busy.has(key)) continue
      this.#due.delete(key)
      this.#busy.add(key)
      this.#free -= 1
      void this.#run(key)
    }
  }

  async #run(key) {
    try {
      await this.#work(key)
      this.#failures.delete(key)
    } catch (error) {
      console.error(`${key}: ${error?.message ?? error}`)
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      setTimeout(() => this.add(key), Math.min(retryMs * 2 ** failures, retryMsMax))
    }
    this.#busy.delete(key)
    this.#free += 1
    this.#handOut()
  }
}
