import { outputLines } from './matches-output.ts'

/** A difference between a document and the actual output. */
export class WalkthroughError extends Error {
  override readonly name = 'WalkthroughError'

  constructor(
    what: string,
    details: {
      readonly document: string
      readonly line: number
      readonly command: string
      readonly expected: readonly string[]
      readonly output: string
    },
  ) {
    const { document, line, command, expected, output } = details
    const shown = (lines: readonly string[]): string[] =>
      lines.length === 0 ? ['  (nothing)'] : lines.map((each) => `  ${each}`)
    super(
      [
        `${document}:${line}: ${what}`,
        ...command.split('\n').map((each, index) => `${index === 0 ? '$' : '>'} ${each}`),
        'expected:',
        ...shown(expected),
        'got:',
        ...shown(outputLines(output)),
      ].join('\n'),
    )
  }
}
