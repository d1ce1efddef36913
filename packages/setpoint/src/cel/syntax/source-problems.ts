/** Collects the errors of one expression and prints them as cel-go does, with a line and a caret. */

import { byteLength } from '../../schema/go/go-print.ts'

interface Problem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** After this many errors only their number is printed. */
const problemsMax = 100

/** A longer line is not printed. */
const snippetMax = 16384

/** The errors that the parser or the checker finds in a source. */
export class SourceProblems {
  readonly source: string
  private readonly problems: Problem[] = []
  private readonly lineStarts: number[]
  private count = 0

  constructor(source: string) {
    this.source = source
    this.lineStarts = [0]
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) {
      this.lineStarts.push(at + 1)
    }
  }

  /** Whether there are no errors. */
  isEmpty(): boolean {
    return this.count === 0
  }

  /** Adds an error at an offset of the source. */
  report(offset: number, message: string): void {
    let line = this.lineStarts.length
    while (line > 1 && (this.lineStarts[line - 1] ?? 0) > offset) line--
    const start = this.lineStarts[line - 1] ?? 0
    const column = codePoints(this.source.slice(start, offset)).length
    this.add({ line, column, message })
  }

  /** Adds an error without a place. */
  reportNowhere(message: string): void {
    this.add({ line: -1, column: -1, message })
  }

  private add(problem: Problem): void {
    this.count++
    if (this.count <= problemsMax) this.problems.push(problem)
  }

  /** The text of all errors, in the order of their places. */
  toString(): string {
    const sorted = [...this.problems].sort(
      (one, other) => one.line - other.line || one.column - other.column,
    )
    const texts = sorted.map((problem) => this.print(problem))
    if (this.count > problemsMax) {
      texts.push(`${this.count - problemsMax} more errors were truncated`)
    }
    return texts.join('\n')
  }

  private print({ line, column, message }: Problem): string {
    const head = `ERROR: <input>:${line}:${column + 1}: ${message}`
    const start = this.lineStarts[line - 1]
    if (start === undefined) return head
    const end = this.lineStarts[line]
    const text = this.source.slice(start, end === undefined ? undefined : end - 1)
    if (byteLength(text) > snippetMax) return head
    const snippet = text.replaceAll('\t', ' ')
    const characters = codePoints(snippet)
    const dots = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'))
    const caret = isWide(characters[column] ?? '') ? '＾' : '^'
    return `${head}\n | ${snippet}\n | ${dots.join('')}${caret}`
  }
}

function codePoints(text: string): string[] {
  return Array.from(text)
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 127
}
