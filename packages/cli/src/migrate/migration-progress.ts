import { type CommandContext, counted } from '../command/index.ts'

/** The time between two updates of the line on a terminal, and between two lines elsewhere. */
const intervalMs = { line: 100, lines: 5_000 }

/** Shows how many objects of a CRD are rewritten: one line on a terminal, some lines elsewhere. */
export class MigrationProgress {
  readonly #context: CommandContext
  readonly #name: string
  readonly #isDrawn: boolean
  readonly #startMs: number
  readonly #first: number
  #shownMs: number

  /** `first` is how many objects an earlier run has rewritten. */
  constructor(
    context: CommandContext,
    { name, first, isJson }: { readonly name: string; first: number; isJson: boolean },
  ) {
    this.#context = context
    this.#name = name
    this.#first = first
    this.#isDrawn = context.terminal.isDrawable && !isJson
    this.#startMs = context.host.monotonicMs()
    this.#shownMs = this.#startMs
  }

  /** Shows the number of rewritten objects, if the last time was long enough ago. */
  show(done: number): void {
    const nowMs = this.#context.host.monotonicMs()
    if (nowMs - this.#shownMs < (this.#isDrawn ? intervalMs.line : intervalMs.lines)) return
    this.#shownMs = nowMs
    const seconds = (nowMs - this.#startMs) / 1000
    const rate = Math.round((done - this.#first) / seconds)
    const line = `${this.#name}: ${counted(done, 'object')}, ${rate} per second`
    const { terminal } = this.#context
    if (this.#isDrawn) terminal.draw(`\r\u001b[K${line.slice(0, terminal.columns - 1)}`)
    else terminal.printProgress(line)
  }

  /** Removes the line from a terminal. */
  end(): void {
    if (this.#isDrawn) this.#context.terminal.draw('\r\u001b[K')
  }
}
