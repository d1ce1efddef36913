import type { SeededRandom } from 'setpoint/host'
import type { ChaosHost } from './chaos-host.ts'

/** A call of an author's function. */
interface Call {
  readonly process: ChaosHost
  readonly what: string
}

/** Records what the cluster does not show: calls of authors' functions, and external objects. */
export class Journal {
  readonly violations: string[] = []
  log: (text: string) => void = () => undefined
  /** The external objects, by the uid of their owner. */
  readonly externalObjects = new Map<string, string>()
  /** The size that the handlers of a ticket handled last, by uid. */
  readonly sizes = new Map<string, number>()
  /** Whether authors' functions fail at random. */
  isChaos = true
  readonly random: SeededRandom
  readonly #calls = new Map<string, Call>()

  constructor(random: SeededRandom) {
    this.random = random
  }

  /**
   * An author's function for a key: it takes time, fails at random, and must not run twice at the
   * same time.
   */
  async call<T>(
    process: ChaosHost,
    { key, what, signal }: { key: string; what: string; signal: AbortSignal },
    run: () => Promise<T>,
  ): Promise<T> {
    const other = this.#calls.get(key)
    if (other !== undefined && other.process.isAlive) {
      this.violations.push(`${key}: ${what} began while ${other.what} ran`)
    }
    this.log(`${key}: ${what} begins in ${process.name}`)
    const call = { process, what }
    this.#calls.set(key, call)
    try {
      if (this.isChaos) await this.#delayOrFail(process, signal)
      const result = await run()
      if (this.isChaos) await this.#delayOrFail(process, signal)
      this.log(`${key}: ${what} ends in ${process.name}`)
      return result
    } finally {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
  }

  async #delayOrFail({ host }: ChaosHost, signal: AbortSignal): Promise<void> {
    const choice = this.random.below(12)
    if (choice < 3) await host.sleep(this.random.below(choice === 0 ? 20_000 : 500), signal)
    if (choice === 3) throw new Error('chaos in a function of the author')
  }
}
