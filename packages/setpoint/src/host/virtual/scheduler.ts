import { durationMs } from '../duration.ts'
import { delayFrom } from '../delay.ts'
import { invalidCallError } from '../invalid-call-error.ts'
import type { SeededRandom } from '../random/seeded-random.ts'
import { TimerHeap } from './timer-heap.ts'
import { checkVerdict, type Intercept, type Verdict } from './intercept.ts'
import {
  type Action,
  type Hold,
  EventQueue,
  type QueuedEvent,
  type EventQueueOwner,
} from './event-queue.ts'

/** Node's own, even when a test or the simulator replaces the global. */
const nextTurn = setImmediate

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
 * first entries of all queues. Time moves only when no queue is ready.
 */
export class Scheduler implements EventQueueOwner {
  readonly #options: SchedulerOptions
  readonly #timers = new TimerHeap()
  #ready: EventQueue[] = []
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
  queue(): EventQueue {
    return new EventQueue(this)
  }

  /** An action at a later time. Silencing the queue prevents it. */
  after(delayMs: number, action: Action): EventQueue {
    const queue = this.queue()
    queue.push(action)
    this.#postpone(queue, delayFrom(delayMs))
    return queue
  }

  /** An action that can happen now, in any order. */
  soon(action: Action): void {
    this.queue().push(action)
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
      throw invalidCallError(
        'advance() was called on a virtual host whose time advances by itself',
        'use sleep(), or create the host with autoAdvance: false',
      )
    }
    if (this.#advancing !== undefined) {
      throw invalidCallError(
        'advance() was called while time is advancing',
        'await one call after the other',
      )
    }
    const untilMs = this.#nowMs + delayFrom(ms, 'the time to advance')
    if (untilMs === Infinity) {
      throw invalidCallError(
        'advance() cannot let an infinite time pass',
        'advance by a finite number of ms',
      )
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
    this.#timers.clear()
    this.#scheduleStep()
  }

  queueReady(queue: EventQueue): void {
    if (queue.readyIndex >= 0 || this.#stopped) return
    queue.readyIndex = this.#ready.push(queue) - 1
    this.#scheduleStep()
  }

  queueNotReady(queue: EventQueue): void {
    const last = this.#ready.at(-1)
    if (queue.readyIndex < 0 || last === undefined) return
    this.#ready[queue.readyIndex] = last
    last.readyIndex = queue.readyIndex
    this.#ready.pop()
    queue.readyIndex = -1
  }

  holdOver(hold: Hold): void {
    this.#timers.remove(hold)
  }

  /** Runs the next step after all due promise callbacks. */
  #scheduleStep(): void {
    if (this.#isStepScheduled) return
    this.#isStepScheduled = true
    nextTurn(() => this.#step())
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
    const queue = this.#pick()
    if (queue?.first === undefined) return
    this.#scheduleStep()
    try {
      this.#perform(queue, queue.first)
    } catch (error) {
      this.#report(error)
    }
  }

  /** Moves time to the next due entry, if allowed. */
  #jump(): boolean {
    const dueMs = this.#timers.nextDueMs()
    const limitMs = this.#options.autoAdvance ? Infinity : (this.#advancing?.untilMs ?? -1)
    if (dueMs === undefined || dueMs > limitMs) return false
    this.#nowMs = dueMs
    while (this.#timers.nextDueMs() === dueMs) {
      const entry = this.#timers.take()
      entry?.queue.release(entry)
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

  #pick(): EventQueue | undefined {
    const count = this.#ready.length
    return this.#ready[count === 1 ? 0 : this.#options.random.below(count)]
  }

  #perform(queue: EventQueue, entry: QueuedEvent): void {
    const { action } = entry
    const verdict = this.#decide(entry)
    if (typeof verdict === 'object') {
      const delayMs = durationMs(verdict.delay, 'delay')
      this.#trace(`${action.label} (delayed ${delayMs} ms)`)
      this.#postpone(queue, delayMs)
      return
    }
    this.#trace(verdict === undefined ? action.label : `${action.label} (${verdict})`)
    switch (verdict) {
      case 'drop':
        queue.silence()
        return
      case 'cut':
        queue.shift()
        action.cut?.()
        return
      case 'repeat':
        entry.action = { ...action, label: `${action.label} (again)` }
        action.run()
        return
      case undefined:
        queue.shift()
        action.run()
    }
  }

  #decide(entry: QueuedEvent): Verdict {
    const { kind, label, details } = entry.action
    if (kind === undefined || entry.decided || this.#options.intercept === undefined) return
    entry.decided = true
    this.#eventCount += 1
    const event = { ...details, id: this.#eventCount, kind, label, atMs: this.#nowMs }
    const verdict = this.#options.intercept(event)
    checkVerdict(event, verdict)
    return verdict
  }

  #postpone(queue: EventQueue, delayMs: number): void {
    const entry = { dueMs: this.#nowMs + Math.ceil(delayMs), queue, heapIndex: -1 }
    queue.hold(entry)
    if (entry.dueMs === Infinity || this.#stopped) return
    if (entry.dueMs <= this.#nowMs) {
      queue.release(entry)
      return
    }
    this.#timers.add(entry)
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
