import { LINES_MAX } from '../limits.ts'

/** Keeps the newest lines: a simulation of days must not fill the memory. */
export class BoundedLines {
  readonly lines: string[] = []
  readonly #max: number

  constructor(max = LINES_MAX) {
    this.#max = max
  }

  push(line: string): void {
    this.lines.push(line)
    // Drops half of the lines, so that the cost is spread over many lines.
    if (this.lines.length > this.#max) this.lines.splice(0, Math.ceil(this.#max / 2))
  }
}
