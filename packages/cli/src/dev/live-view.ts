import { counted, type Terminal } from '../command/index.ts'
import type { Host, Timer } from 'setpoint/host'
import { after, type DevState, startingState } from './dev-state.ts'
import { screenOf } from './screen.ts'
import { type DevEvent, placedText, type View } from './view.ts'

/** The shortest interval between two drawings of the screen. */
const drawMs = 100

const escape = '\u001b['

/** Draws the state on the alternate screen of the terminal, which restores the former content. */
export class LiveView implements View {
  readonly #terminal: Terminal
  readonly #host: Host
  readonly #closePage: () => void
  #state: DevState = startingState
  #timer: Timer | undefined
  #drawnMs = -Infinity

  constructor(terminal: Terminal, host: Host) {
    this.#terminal = terminal
    this.#host = host
    this.#closePage = terminal.openPage(() => this.#drawSoon())
  }

  show(event: DevEvent): void {
    this.#state = after(this.#state, event)
    this.#drawSoon()
  }

  #drawSoon(): void {
    if (this.#timer !== undefined) return
    const waitMs = Math.max(0, this.#drawnMs + drawMs - this.#host.monotonicMs())
    this.#timer = this.#host.setTimer(waitMs, () => this.#draw())
  }

  close(): void {
    this.#timer?.cancel()
    this.#closePage()
    const { failure, runCount } = this.#state
    if (failure !== undefined) this.#terminal.printProgress(placedText(failure.error))
    this.#terminal.printProgress(`stopped after ${counted(runCount, 'reconcile')}`)
  }

  #draw(): void {
    this.#timer = undefined
    this.#drawnMs = this.#host.monotonicMs()
    const lines = screenOf(this.#state, this.#terminal)
    // Overwrites line by line: clearing the screen first would flicker.
    const text = lines.map((line) => `${escape}K${line}`).join('\r\n')
    const rest = lines.length < this.#terminal.rows ? `\r\n${escape}J` : ''
    this.#terminal.draw(`${escape}H${text}${rest}`)
  }
}
