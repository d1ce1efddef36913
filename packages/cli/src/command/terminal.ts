/** Coloured text, or plain text where colours are off. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

/** The input and output of a command. */
export interface Terminal {
  /** A line of the result, to the standard output. */
  print(line: string): void
  /** A line about progress or a problem, to the standard error: never part of a result. */
  printProgress(line: string): void
  /** Whether questions are possible: standard input and error are a terminal. */
  readonly isInteractive: boolean
  /** Colours for the standard output and error; none with `NO_COLOR` or without a terminal. */
  readonly style: Style
  /** How many characters fit into a line. */
  readonly columns: number
  readonly rows: number
  /** Whether the standard output is a terminal, so that screens can be drawn. */
  readonly isDrawable: boolean
  /** Writes text unchanged to the standard output, for drawing screens. */
  draw(text: string): void
  /**
   * Opens the alternate screen, until the returned function is called or the process ends. Calls
   * `onResize` when the size of the terminal changes.
   */
  openPage(onResize: () => void): () => void
  /** Asks for a line; an empty answer is `preset`. Only where `isInteractive`. */
  ask(question: string, preset?: string): Promise<string>
  /**
   * Calls `run` for every key press until the returned function is called; never without a
   * terminal.
   */
  onKey(run: (key: string) => void): () => void
}
