import { Fifo } from './fifo.ts'
import type { VirtualEvent, VirtualEventKind } from './intercept.ts'

/** Something that will happen: a function, and its description. */
export interface Action {
  readonly label: string
  /** Actions without a kind are internal and not passed to `intercept`. */
  readonly kind?: VirtualEventKind
  readonly details?: Pick<VirtualEvent, 'connection' | 'method' | 'url' | 'bytes'>
  run(): void
  /** Runs instead when `intercept` returns `cut`. */
  cut?(): void
}

/** An action in its queue. */
export interface QueuedEvent {
  action: Action
  /** `intercept` was called for it; it is called only once. */
  decided: boolean
}

/** Blocks a queue until a time. */
export interface Hold {
  readonly dueMs: number
  readonly queue: EventQueue
  /** Set by the timer heap: the index in its heap, or -1. */
  heapIndex: number
}

/** How a queue notifies its scheduler that its first entry can happen now, or no longer. */
export interface EventQueueOwner {
  queueReady(queue: EventQueue): void
  queueNotReady(queue: EventQueue): void
  /** The hold was removed. */
  holdOver(hold: Hold): void
}

/**
 * Actions that happen in order: one direction of a connection, or a single timer. Only the first
 * entry of each queue can be next; there is no other order.
 */
export class EventQueue {
  readonly #owner: EventQueueOwner
  readonly #entries = new Fifo<QueuedEvent>()
  #hold: Hold | undefined
  #silent = false
  /** Set by the scheduler: the index among the ready queues, or -1. */
  readyIndex = -1

  constructor(owner: EventQueueOwner) {
    this.#owner = owner
  }

  get first(): QueuedEvent | undefined {
    return this.#entries.first
  }

  get isSilent(): boolean {
    return this.#silent
  }

  push(action: Action): void {
    if (this.#silent) return
    this.#entries.push({ action, decided: false })
    this.#update()
  }

  shift(): void {
    this.#entries.shift()
    this.#update()
  }

  /** Removes and returns the last entry when it is a chunk that `intercept` has not seen yet. */
  takeBackChunk(): Uint8Array | undefined {
    const { last } = this.#entries
    const bytes = last?.action.details?.bytes
    if (last === undefined || last.decided || bytes === undefined) return undefined
    this.#entries.pop()
    this.#update()
    return bytes
  }

  /** Blocks all entries until this hold is released; a later hold replaces it. */
  hold(hold: Hold): void {
    this.#endHold()
    this.#hold = hold
    this.#update()
  }

  release(hold: Hold): void {
    if (this.#hold !== hold) return
    this.#hold = undefined
    this.#update()
  }

  /** Drops all pending entries. */
  clear(): void {
    this.#entries.clear()
    this.#endHold()
    this.#update()
  }

  /** Drops all pending and future entries. */
  silence(): void {
    this.#silent = true
    this.clear()
  }

  #endHold(): void {
    const hold = this.#hold
    this.#hold = undefined
    if (hold !== undefined) this.#owner.holdOver(hold)
  }

  #update(): void {
    if (this.#entries.length > 0 && this.#hold === undefined) this.#owner.queueReady(this)
    else this.#owner.queueNotReady(this)
  }
}
