import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import type { Style, Terminal } from '../command/index.ts'

/** The terminal this process was started in. */
export class NodeTerminal implements Terminal {
  readonly style: Style
  readonly isInteractive = process.stdin.isTTY && process.stderr.isTTY
  readonly isDrawable = process.stdout.isTTY

  constructor() {
    this.style = hasColours() ? colours : plain
  }

  get columns(): number {
    return process.stdout.columns
  }

  get rows(): number {
    return process.stdout.rows
  }

  print(line: string): void {
    process.stdout.write(`${line}\n`)
  }

  note(line: string): void {
    process.stderr.write(`${line}\n`)
  }

  draw(text: string): void {
    process.stdout.write(text)
  }

  async ask(question: string, preset = ''): Promise<string> {
    // Questions go to the standard error: they are not part of a result that is piped on.
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    const end = new AbortController()
    // Ctrl-C at a question is meant for the program, and the reader would keep it to itself.
    lines.once('SIGINT', () => {
      end.abort()
      process.kill(process.pid, 'SIGINT')
    })
    try {
      const shown = preset === '' ? '' : ` ${this.style.dim(`(${preset})`)}`
      const answer = await lines.question(`${question}${shown} `, { signal: end.signal })
      return answer.trim() === '' ? preset : answer.trim()
    } finally {
      lines.close()
    }
  }

  onKey(run: (key: string) => void): () => void {
    if (!this.isInteractive) return () => undefined
    const { stdin } = process
    const hear = (data: Buffer): void => run(data.toString('utf8'))
    stdin.setRawMode(true)
    stdin.on('data', hear)
    stdin.resume()
    return () => {
      stdin.off('data', hear)
      stdin.setRawMode(false)
      stdin.pause()
    }
  }
}

/** As https://no-color.org and Node's own `FORCE_COLOR` want it. */
function hasColours(): boolean {
  const { env } = process
  if ((env['NO_COLOR'] ?? '') !== '') return false
  if ((env['FORCE_COLOR'] ?? '0') !== '0') return true
  return process.stdout.isTTY && env['TERM'] !== 'dumb'
}

const same = (text: string): string => text

const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }

const coloured =
  (on: number, off: number) =>
  (text: string): string =>
    `\u001b[${on}m${text}\u001b[${off}m`

const colours: Style = {
  bold: coloured(1, 22),
  dim: coloured(2, 22),
  red: coloured(31, 39),
  green: coloured(32, 39),
  yellow: coloured(33, 39),
  cyan: coloured(36, 39),
}
