/** An error of the compiler. */
export interface CompilerError {
  /** `TS2322: Type 'string' is not assignable to type 'number'.`, with the lines that explain it. */
  readonly message: string
  /** `src/website.ts:12:7`; `undefined` for an error of the settings. */
  readonly at: string | undefined
}

const first = /^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+: .*)$/

/** The errors in the output of `tsc --pretty false`. */
export function compilerErrors(output: string): CompilerError[] {
  const errors: { message: string; at: string | undefined }[] = []
  for (const line of output.split(/\r?\n/)) {
    const found = first.exec(line)
    const latest = errors.at(-1)
    if (found !== null) {
      const [, file, row = '', column = '', message = ''] = found
      errors.push({ message, at: file === undefined ? undefined : `${file}:${row}:${column}` })
    } else if (latest !== undefined && line.startsWith(' ')) latest.message += `\n${line}`
  }
  return errors
}

/** How long a line of a short message may be. */
const lineMax = 240

/**
 * The message of an error for a small place: its first line, and the last line of the explanation,
 * which names the wrong field.
 */
export function shortMessage({ message }: CompilerError): string {
  const [head = '', ...rest] = message.split('\n')
  const last = rest.at(-1)
  return [head, ...(last === undefined ? [] : [`  ${last.trim()}`])].map(shortLine).join('\n')
}

/** Types in messages can be long; what they say is at both ends. */
function shortLine(line: string): string {
  if (line.length <= lineMax) return line
  const half = Math.floor(lineMax / 2)
  return `${line.slice(0, half)} … ${line.slice(-half)}`
}
