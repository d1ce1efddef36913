import type { Clock } from 'setpoint/host'

/** A line that a program has written. */
interface LoggedLine {
  readonly atMs: number
  readonly text: string
}

/** How much of the log of one run is kept; the oldest lines go first. */
const bytesMax = 1024 * 1024
/** A line that does not end is cut here. */
const lineBytesMax = 16 * 1024

/** What one run of a container has written, with the time of every line. It is kept in memory and bounded. */
export class LineLog {
  readonly #clock: Clock
  readonly #lines: LoggedLine[] = []
  #bytes = 0
  #readMs = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes what a program writes, until it closes that output. */
  async take(output: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of output) {
      rest += decoder.decode(chunk, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#add(line)
      for (; rest.length > lineBytesMax; rest = rest.slice(lineBytesMax)) {
        this.#add(rest.slice(0, lineBytesMax))
      }
    }
    rest += decoder.decode()
    if (rest !== '') this.#add(rest)
  }

  /**
   * All lines. Those that come later have a later time than this moment, so that whoever goes on reading from here
   * misses nothing.
   */
  read(): readonly LoggedLine[] {
    this.#readMs = this.#clock.now()
    return this.#lines
  }

  /** When the last line was written. */
  get lastMs(): number {
    return this.#lines.at(-1)?.atMs ?? -Infinity
  }

  /** The end of it, for a message. */
  tail(lines: number, bytes: number): string {
    const text = this.#lines.slice(-lines).map((line) => line.text)
    return text.join('\n').slice(-bytes)
  }

  #add(text: string): void {
    const atMs = Math.max(this.#clock.now(), this.#readMs + 1, this.lastMs)
    this.#lines.push({ atMs, text })
    this.#bytes += text.length
    while (this.#bytes > bytesMax) this.#bytes -= this.#lines.shift()?.text.length ?? 0
  }
}
