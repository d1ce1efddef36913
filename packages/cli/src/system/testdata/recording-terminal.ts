import type { Style, Terminal } from '../../command/index.ts'

const same = (text: string): string => text

/** A terminal for tests: records output, and answers questions with the given answers in order. */
export class RecordingTerminal implements Terminal {
  /** The lines of the result. */
  readonly lines: string[] = []
  /** The lines on the standard error. */
  readonly notes: string[] = []
  readonly questions: string[] = []
  readonly isInteractive: boolean
  readonly isDrawable = false
  readonly columns = 100
  readonly rows = 40
  readonly style: Style = {
    bold: same,
    dim: same,
    red: same,
    green: same,
    yellow: same,
    cyan: same,
  }
  readonly #answers: string[]
  #key: ((key: string) => void) | undefined

  constructor(options: { readonly answers?: readonly string[] } = {}) {
    this.#answers = [...(options.answers ?? [])]
    this.isInteractive = options.answers !== undefined
  }

  /** The result as one text. */
  get text(): string {
    return this.lines.join('\n')
  }

  print(line: string): void {
    this.lines.push(line)
  }

  printProgress(line: string): void {
    this.notes.push(line)
  }

  draw(text: string): void {
    this.lines.push(text)
  }

  openPage(): () => void {
    this.lines.push('a page opens')
    return () => void this.lines.push('the page closes')
  }

  async ask(question: string, preset = ''): Promise<string> {
    this.questions.push(question)
    const answer = this.#answers.shift()
    if (answer === undefined) throw new Error(`unexpected question: ${question}`)
    return answer === '' ? preset : answer
  }

  onKey(run: (key: string) => void): () => void {
    this.#key = run
    return () => {
      this.#key = undefined
    }
  }

  /** Presses a key. */
  press(key: string): void {
    this.#key?.(key)
  }
}
