import type { SeededRandom } from 'setpoint/host'
import type { ChaosHost } from './chaos-host.ts'

/** A call of an author's function. */
interface Call {
  readonly process: ChaosHost
  readonly what: string
}

/** What operators did that the cluster does not show: who was called when, and what they keep outside of it. */
export class Journal {
  readonly violations: string[] = []
  log: (text: string) => void = () => undefined
  /** What operators made outside the cluster, by the uid of the object it is for. */
  readonly outside = new Map<string, string>()
  /** The size that handlers of a ticket dealt with last, by uid. */
  readonly sizes = new Map<string, number>()
  /** Whether author's functions fail now and then. */
  isChaos = true
  readonly random: SeededRandom
  readonly #calls = new Map<string, Call>()

  constructor(random: SeededRandom) {
    this.random = random
  }

  /** An author's function for a key: it takes its time, it fails now and then, and it must be alone. */
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
      if (this.isChaos) await this.#trouble(process, signal)
      const result = await run()
      if (this.isChaos) await this.#trouble(process, signal)
      this.log(`${key}: ${what} ends in ${process.name}`)
      return result
    } finally {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
  }

  async #trouble({ host }: ChaosHost, signal: AbortSignal): Promise<void> {
    const luck = this.random.below(12)
    if (luck < 3) await host.sleep(this.random.below(luck === 0 ? 20_000 : 500), signal)
    if (luck === 3) throw new Error('chaos in a function of the author')
  }
}
