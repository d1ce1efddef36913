import type { Clock } from 'setpoint/host'
import type { TracedRequest } from '../api/index.ts'

/** One recorded request. */
export interface TraceEntry {
  readonly timeMs: number
  /** Empty if the request was not authenticated. */
  readonly user: string
  readonly verb: string
  readonly method: string
  /** Without the query, which may contain sensitive data. */
  readonly path: string
  readonly code: number
}

/** Older entries are dropped. */
const entriesMax = 10_000

/** The latest requests of a cluster, for tests and debugging. */
export class Trace {
  readonly #clock: Clock
  readonly #entries: TraceEntry[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries
  }

  add({ info, user, code }: TracedRequest): void {
    if (this.#entries.length >= entriesMax) this.#entries.splice(0, entriesMax / 10)
    const { verb, method, path } = info
    const timeMs = this.#clock.now()
    this.#entries.push({ timeMs, user: user?.name ?? '', verb, method, path, code })
  }
}
