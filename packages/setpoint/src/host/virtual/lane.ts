import { Fifo } from './fifo.ts'
import type { VirtualEvent, VirtualEventKind } from './intercept.ts'

/** One thing that will happen: the closure that does it and what the world may know about it. */
export interface Happening {
  readonly label: string
  /** Things without a kind are the host's own business and are not shown to `intercept`. */
  readonly kind?: VirtualEventKind
  readonly details?: Pick<VirtualEvent, 'connection' | 'method' | 'url' | 'bytes'>
  run(): void
  /** What happens instead when `intercept` cuts. */
  cut?(): void
}

/** A happening in its lane, with what `intercept` already decided. */
export interface LaneEntry {
  happening: Happening
  /** `intercept` has seen it; it is asked only once. */
  decided: boolean
}

/** What keeps a lane back until its time has come. */
export interface Hold {
  readonly dueMs: number
  readonly lane: Lane
  /** Kept by the agenda: where it stands there, or -1. */
  heapIndex: number
}

/** How a lane tells its scheduler that its first entry can happen now, or no longer. */
export interface LaneOwner {
  laneReady(lane: Lane): void
  laneNotReady(lane: Lane): void
  /** Nobody waits for it any more. */
  holdOver(hold: Hold): void
}

/**
 * Things that must happen in order: one direction of a connection, or a single timer. Only the
 * first entry of each lane competes for being next; that is all the order a world imposes.
 */
export class Lane {
  readonly #owner: LaneOwner
  readonly #entries = new Fifo<LaneEntry>()
  #hold: Hold | undefined
  #silent = false
  /** Kept by the scheduler: where the lane stands among those that are ready, or -1. */
  readyIndex = -1

  constructor(owner: LaneOwner) {
    this.#owner = owner
  }

  get first(): LaneEntry | undefined {
    return this.#entries.first
  }

  get isSilent(): boolean {
    return this.#silent
  }

  push(happening: Happening): void {
    if (this.#silent) return
    this.#entries.push({ happening, decided: false })
    this.#update()
  }

  shift(): void {
    this.#entries.shift()
    this.#update()
  }

  /** Takes back the last entry when it is a chunk about which nothing has been decided yet. */
  takeBackChunk(): Uint8Array | undefined {
    const { last } = this.#entries
    const bytes = last?.happening.details?.bytes
    if (last === undefined || last.decided || bytes === undefined) return undefined
    this.#entries.pop()
    this.#update()
    return bytes
  }

  /** Keeps everything back until this hold is released; a later one replaces it. */
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

  /** Forgets what has not happened yet. */
  clear(): void {
    this.#entries.clear()
    this.#endHold()
    this.#update()
  }

  /** Nothing happens here any more, whatever is pushed. */
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
    if (this.#entries.length > 0 && this.#hold === undefined) this.#owner.laneReady(this)
    else this.#owner.laneNotReady(this)
  }
}
