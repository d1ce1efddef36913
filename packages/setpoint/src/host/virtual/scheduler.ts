import { durationMs } from '../duration.ts'
import { delayFrom } from '../delay.ts'
import { misuse } from '../misuse.ts'
import type { SeededRandom } from '../random/seeded-random.ts'
import { Agenda } from './agenda.ts'
import { checkVerdict, type Intercept, type Verdict } from './intercept.ts'
import { type Action, type Hold, Lane, type LaneEntry, type LaneOwner } from './lane.ts'

/** The dependencies of a scheduler. */
interface SchedulerOptions {
  /** Picks the next among all possible actions. */
  readonly random: SeededRandom
  /** Whether time advances by itself when nothing can happen now. */
  readonly autoAdvance: boolean
  readonly intercept: Intercept | undefined
  /** Receives a line for everything that happened. */
  readonly trace: (line: string) => void
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Decides what happens next, and when. One action runs at a time; then all promise callbacks that
 * it caused run (`setImmediate` comes after all of them); then the seed picks the next among the
 * first entries of all lanes. Time moves only when no lane is ready.
 */
export class Scheduler implements LaneOwner {
  readonly #options: SchedulerOptions
  readonly #agenda = new Agenda()
  #ready: Lane[] = []
  #nowMs = 0
  #eventCount = 0
  #isStepScheduled = false
  #stopped = false
  #settling: Waiter[] = []
  #advancing: (Waiter & { readonly untilMs: number }) | undefined

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Milliseconds since the start. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** A sequence of actions that happen in order. */
  lane(): Lane {
    return new Lane(this)
  }

  /** An action at a later time. Silencing the lane prevents it. */
  after(delayMs: number, action: Action): Lane {
    const lane = this.lane()
    lane.push(action)
    this.#postpone(lane, delayFrom(delayMs))
    return lane
  }

  /** An action that can happen now, in any order. */
  soon(action: Action): void {
    this.lane().push(action)
  }

  /** Resolves when nothing can happen any more without time passing. */
  settle(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settling.push({ resolve, reject })
      this.#scheduleStep()
    })
  }

  /** Lets `ms` pass, with everything that happens meanwhile. */
  async advance(ms: number): Promise<void> {
    if (this.#options.autoAdvance) {
      throw misuse(
        'advance() was called on a virtual host whose time advances by itself',
        'use sleep(), or create the host with autoAdvance: false',
      )
    }
    if (this.#advancing !== undefined) {
      throw misuse('advance() was called while time is advancing', 'await one call after the other')
    }
    const untilMs = this.#nowMs + delayFrom(ms, 'the time to advance')
    if (untilMs === Infinity) {
      throw misuse('advance() cannot let an infinite time pass', 'advance by a finite number of ms')
    }
    await new Promise<void>((resolve, reject) => {
      this.#advancing = { untilMs, resolve, reject }
      this.#scheduleStep()
    })
  }

  /** Stops the virtual host: nothing happens any more, and it does not keep the process alive. */
  stop(): void {
    this.#stopped = true
    this.#ready = []
    this.#agenda.clear()
    this.#scheduleStep()
  }

  laneReady(lane: Lane): void {
    if (lane.readyIndex >= 0 || this.#stopped) return
    lane.readyIndex = this.#ready.push(lane) - 1
    this.#scheduleStep()
  }

  laneNotReady(lane: Lane): void {
    const last = this.#ready.at(-1)
    if (lane.readyIndex < 0 || last === undefined) return
    this.#ready[lane.readyIndex] = last
    last.readyIndex = lane.readyIndex
    this.#ready.pop()
    lane.readyIndex = -1
  }

  holdOver(hold: Hold): void {
    this.#agenda.remove(hold)
  }

  /** Runs the next step after all due promise callbacks. */
  #scheduleStep(): void {
    if (this.#isStepScheduled) return
    this.#isStepScheduled = true
    setImmediate(() => this.#step())
  }

  #step(): void {
    this.#isStepScheduled = false
    if (this.#ready.length === 0 && this.#settling.length > 0) {
      for (const waiter of this.#settling.splice(0)) waiter.resolve()
      this.#scheduleStep()
      return
    }
    if (this.#ready.length === 0 && !this.#jump()) {
      this.#finishAdvance()
      return
    }
    const lane = this.#pick()
    if (lane?.first === undefined) return
    this.#scheduleStep()
    try {
      this.#perform(lane, lane.first)
    } catch (error) {
      this.#report(error)
    }
  }

  /** Moves time to the next due entry, if allowed. */
  #jump(): boolean {
    const dueMs = this.#agenda.nextDueMs()
    const limitMs = this.#options.autoAdvance ? Infinity : (this.#advancing?.untilMs ?? -1)
    if (dueMs === undefined || dueMs > limitMs) return false
    this.#nowMs = dueMs
    while (this.#agenda.nextDueMs() === dueMs) {
      const entry = this.#agenda.take()
      entry?.lane.release(entry)
    }
    return true
  }

  #finishAdvance(): void {
    const done = this.#advancing
    if (done === undefined) return
    this.#advancing = undefined
    this.#nowMs = Math.max(this.#nowMs, this.#stopped ? 0 : done.untilMs)
    done.resolve()
  }

  #pick(): Lane | undefined {
    const count = this.#ready.length
    return this.#ready[count === 1 ? 0 : this.#options.random.below(count)]
  }

  #perform(lane: Lane, entry: LaneEntry): void {
    const { action } = entry
    const verdict = this.#decide(entry)
    if (typeof verdict === 'object') {
      const delayMs = durationMs(verdict.delay, 'delay')
      this.#trace(`${action.label} (delayed ${delayMs} ms)`)
      this.#postpone(lane, delayMs)
      return
    }
    this.#trace(verdict === undefined ? action.label : `${action.label} (${verdict})`)
    switch (verdict) {
      case 'drop':
        lane.silence()
        return
      case 'cut':
        lane.shift()
        action.cut?.()
        return
      case 'repeat':
        entry.action = { ...action, label: `${action.label} (again)` }
        action.run()
        return
      case undefined:
        lane.shift()
        action.run()
    }
  }

  #decide(entry: LaneEntry): Verdict {
    const { kind, label, details } = entry.action
    if (kind === undefined || entry.decided || this.#options.intercept === undefined) return
    entry.decided = true
    this.#eventCount += 1
    const event = { ...details, id: this.#eventCount, kind, label, atMs: this.#nowMs }
    const verdict = this.#options.intercept(event)
    checkVerdict(event, verdict)
    return verdict
  }

  #postpone(lane: Lane, delayMs: number): void {
    const entry = { dueMs: this.#nowMs + Math.ceil(delayMs), lane, heapIndex: -1 }
    lane.hold(entry)
    if (entry.dueMs === Infinity || this.#stopped) return
    if (entry.dueMs <= this.#nowMs) {
      lane.release(entry)
      return
    }
    this.#agenda.add(entry)
    if (this.#options.autoAdvance) this.#scheduleStep()
  }

  #trace(text: string): void {
    this.#options.trace(`t=${this.#nowMs} ${text}`)
  }

  /** An error rejects `settle()` or `advance()`; otherwise it is uncaught, as in Node. */
  #report(error: unknown): void {
    const waiters = [...this.#settling.splice(0), ...(this.#advancing ? [this.#advancing] : [])]
    this.#advancing = undefined
    if (waiters.length === 0) throw error
    for (const waiter of waiters) waiter.reject(error)
  }
}
