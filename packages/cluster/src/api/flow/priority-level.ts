import type { Timer, Timers } from 'setpoint/host'

/** How many requests of a priority level run and wait. */
export interface LevelLimits {
  /** The number of requests that run at the same time. */
  readonly seats: number
  /** The number of requests of one flow that wait for a seat; 0 refuses them instead. */
  readonly waitingMax: number
  /** The longest wait. */
  readonly waitMsMax: number
}

/** A request that waits for a seat. */
interface Waiting {
  readonly decide: (hasSeat: boolean) => void
  readonly overdue: Timer
}

/**
 * The seats of one priority level. Requests without a seat wait in the queue of their flow; the
 * flows take turns, so that a client with many requests does not keep out the others.
 */
export class PriorityLevel {
  readonly #limits: LevelLimits
  readonly #host: Timers
  /** The queues of the flows that wait, the next one first. */
  readonly #queues = new Map<string, Waiting[]>()
  #running = 0

  constructor(host: Timers, limits: LevelLimits) {
    this.#host = host
    this.#limits = limits
  }

  /** Takes a seat, now or later. `false` if the request is refused. */
  take(flow: string): boolean | Promise<boolean> {
    if (this.#running < this.#limits.seats) {
      this.#running += 1
      return true
    }
    const queue = this.#queues.get(flow) ?? []
    if (queue.length >= this.#limits.waitingMax) return false
    this.#queues.set(flow, queue)
    return new Promise((decide) => {
      const overdue = this.#host.setTimer(this.#limits.waitMsMax, () => {
        this.#leave(flow, waiting)
        decide(false)
      })
      const waiting: Waiting = { decide, overdue }
      queue.push(waiting)
    })
  }

  /** Returns a seat; the first request of the next flow gets it. */
  release(): void {
    const [next] = this.#queues
    if (next === undefined) {
      this.#running -= 1
      return
    }
    const [flow, queue] = next
    const waiting = queue.shift()
    this.#queues.delete(flow)
    if (queue.length > 0) this.#queues.set(flow, queue)
    waiting?.overdue.cancel()
    waiting?.decide(true)
  }

  #leave(flow: string, waiting: Waiting): void {
    const queue = this.#queues.get(flow) ?? []
    const index = queue.indexOf(waiting)
    if (index >= 0) queue.splice(index, 1)
    if (queue.length === 0) this.#queues.delete(flow)
  }
}
