import type { Terminal } from '../command/index.ts'
import type { Clock } from 'setpoint/host'
import type { DevEvent, View } from './view.ts'

/** One JSON object per line: for programs that start `setpoint dev`. */
export class JsonView implements View {
  readonly #terminal: Terminal
  readonly #clock: Clock

  constructor(terminal: Terminal, clock: Clock) {
    this.#terminal = terminal
    this.#clock = clock
  }

  show(event: DevEvent): void {
    this.#terminal.print(
      JSON.stringify({ time: new Date(this.#clock.now()).toISOString(), ...event }),
    )
  }

  close(): void {
    // Every event is printed immediately; nothing is buffered.
  }
}
