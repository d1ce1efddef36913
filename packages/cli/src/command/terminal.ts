/** Words in colour, or as they are where colours are not wanted. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

/** Where a command talks to a person, or to the script that called it. */
export interface Terminal {
  /** A line of the result, to the standard output. */
  print(line: string): void
  /** A line about what goes on, to the standard error: never part of a result. */
  note(line: string): void
  /** Somebody sits there and can be asked. */
  readonly isInteractive: boolean
  /** Colours for the standard output and error; none with `NO_COLOR`, or where no terminal is. */
  readonly style: Style
  /** How many characters fit into a line. */
  readonly columns: number
  readonly rows: number
  /** Whether the standard output is a terminal, which can be drawn on. */
  readonly isDrawable: boolean
  /** Writes text as it is to the standard output: for what draws on a terminal. */
  draw(text: string): void
  /** Takes the whole screen, until the returned function is called or the process ends; tells of new sizes. */
  openPage(onResize: () => void): () => void
  /** Asks for a line; an empty answer is `preset`. Only where `isInteractive`. */
  ask(question: string, preset?: string): Promise<string>
  /** Calls `run` for every key that is pressed until the returned function is called; nothing where nobody sits. */
  onKey(run: (key: string) => void): () => void
}
