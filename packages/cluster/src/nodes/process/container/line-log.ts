import type { Clock } from 'setpoint/host'

interface LoggedLine {
  readonly atMs: number
  readonly text: string
}

/** The maximum size of a log; the oldest lines are dropped first. */
const bytesMax = 1024 * 1024
/** A line longer than this is split. */
const lineBytesMax = 16 * 1024

/**
 * The log of one run of a container in memory, with the time of every line. Its size is limited.
 */
export class LineLog {
  readonly #clock: Clock
  readonly #lines: LoggedLine[] = []
  #bytes = 0
  #readMs = -Infinity

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Reads the output of a program until it is closed. */
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
   * All lines. Later lines get a time after this call, so that a reader that continues from here
   * misses none.
   */
  read(): readonly LoggedLine[] {
    this.#readMs = this.#clock.now()
    return this.#lines
  }

  /** When the last line was written. */
  get lastMs(): number {
    return this.#lines.at(-1)?.atMs ?? -Infinity
  }

  /** The last lines, for a termination message. */
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
