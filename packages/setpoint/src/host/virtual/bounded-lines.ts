import { LINES_MAX } from '../limits.ts'

/** Lines of which the newest are kept: a simulation of days must not fill the memory. */
export class BoundedLines {
  readonly lines: string[] = []
  readonly #max: number

  constructor(max = LINES_MAX) {
    this.#max = max
  }

  push(line: string): void {
    this.lines.push(line)
    // Half at a time, so that the cost of moving the rest is spread over many lines.
    if (this.lines.length > this.#max) this.lines.splice(0, Math.ceil(this.#max / 2))
  }
}
