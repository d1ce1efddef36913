import { counted, type Terminal } from '../../command/index.ts'
import type { Host, Timer } from 'setpoint/host'
import { after, afterKey, type DevState, objectId, startingState } from './dev-state.ts'
import { screenOf } from './screen.ts'
import {
  type DevEvent,
  type ObjectDetails,
  placedText,
  type ShownObject,
  timeText,
  type View,
} from '../view.ts'

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
  #read: ((object: ShownObject) => Promise<ObjectDetails>) | undefined
  #isReading = false
  #isStale = false

  constructor(terminal: Terminal, host: Host) {
    this.#terminal = terminal
    this.#host = host
    this.#closePage = terminal.openPage(() => this.#drawSoon())
  }

  show(event: DevEvent): void {
    this.#state = after(this.#state, event, timeText(this.#host))
    this.#drawSoon()
    // What happens may change the children and Events of the object that is shown.
    if (event.is === 'run' || event.is === 'object') this.#readDetails()
  }

  press(key: string, read: (object: ShownObject) => Promise<ObjectDetails>): void {
    this.#state = afterKey(this.#state, key)
    this.#read = read
    this.#drawSoon()
    this.#readDetails()
  }

  /** Reads the details of the object that is shown, once more if they may have changed meanwhile. */
  #readDetails(): void {
    const { isOpen, selected = '', objects } = this.#state
    const object = isOpen ? objects.get(selected) : undefined
    if (object === undefined || this.#read === undefined) return
    if (this.#isReading) {
      this.#isStale = true
      return
    }
    this.#isReading = true
    this.#isStale = false
    void this.#read(object)
      .catch((error: unknown) => ({ of: objectId(object), children: [], events: [String(error)] }))
      .then((details) => {
        this.#isReading = false
        this.#state = { ...this.#state, details }
        this.#drawSoon()
        if (this.#isStale) this.#readDetails()
      })
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
