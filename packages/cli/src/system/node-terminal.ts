import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { stripVTControlCharacters } from 'node:util'
import { CommandError, exitCodes, type Style, type Terminal } from '../command/index.ts'

/** The terminal of this process. */
export class NodeTerminal implements Terminal {
  readonly style: Style
  readonly isInteractive = process.stdin.isTTY && process.stderr.isTTY
  readonly isDrawable = process.stdout.isTTY

  /**
   * `onClosed` is called when the reader of the standard output ends: `| head`, or a closed
   * terminal.
   */
  constructor(onClosed: () => void) {
    this.style = hasColours(process.stdout) ? colours : plain
    process.stdout.on('error', onClosed)
    // An error of the standard error cannot be reported.
    process.stderr.on('error', () => undefined)
  }

  // The size is 0 until the terminal has reported it.
  get columns(): number {
    return process.stdout.columns > 0 ? process.stdout.columns : defaultSize.columns
  }

  get rows(): number {
    return process.stdout.rows > 0 ? process.stdout.rows : defaultSize.rows
  }

  print(line: string): void {
    process.stdout.write(`${line}\n`)
  }

  printProgress(line: string): void {
    const shown = hasColours(process.stderr) ? line : stripVTControlCharacters(line)
    process.stderr.write(`${shown}\n`)
  }

  draw(text: string): void {
    process.stdout.write(text)
  }

  openPage(onResize: () => void): () => void {
    this.draw(page.open)
    process.stdout.on('resize', onResize)
    const close = (): void => {
      process.stdout.off('resize', onResize)
      for (const end of ends) process.off(end, close)
      this.draw(page.close)
    }
    // Restores the screen however the process ends, for its last output and for the shell.
    const ends = ['exit', 'uncaughtExceptionMonitor']
    for (const end of ends) process.on(end, close)
    return close
  }

  async ask(question: string, preset = ''): Promise<string> {
    // Questions go to the standard error: they are not part of a result that is piped on.
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    // readline would consume Ctrl-C, which is meant for the process.
    lines.once('SIGINT', interrupt)
    let isAnswered = false
    const closed = new Promise<never>((_, reject) => {
      lines.once('close', () => {
        process.stderr.write(isAnswered ? '' : '\n')
        reject(unanswered())
      })
    })
    try {
      const shown = preset === '' ? '' : ` ${this.style.dim(`(${preset})`)}`
      const answer = await Promise.race([lines.question(`${question}${shown} `), closed])
      isAnswered = true
      return answer.trim() === '' ? preset : answer.trim()
    } finally {
      lines.close()
    }
  }

  onKey(run: (key: string) => void): () => void {
    if (!this.isInteractive) return () => undefined
    const { stdin } = process
    // In raw mode the terminal sends no signal for Ctrl-C.
    const onData = (data: Buffer): void => {
      for (const key of data.toString('utf8')) if (key === '\u0003') interrupt()
      run(data.toString('utf8'))
    }
    stdin.setRawMode(true)
    stdin.on('data', onData)
    stdin.resume()
    return () => {
      stdin.off('data', onData)
      stdin.setRawMode(false)
      stdin.pause()
    }
  }
}

/** The size while the terminal has not reported one. */
const defaultSize = { columns: 80, rows: 24 }

/** The alternate screen without cursor and line wrap; and back. */
const page = {
  open: '\u001b[?1049h\u001b[?25l\u001b[?7l',
  close: '\u001b[?7h\u001b[?25h\u001b[?1049l',
}

function interrupt(): void {
  process.kill(process.pid, 'SIGINT')
}

/** Ctrl-D, or an input that has ended. */
function unanswered(): CommandError {
  return new CommandError('the question was not answered', {
    exitCode: exitCodes.declined,
    hint: 'nothing was done; --yes skips the question',
  })
}

/** Follows https://no-color.org and Node's `FORCE_COLOR`. */
function hasColours(stream: { readonly isTTY: boolean }): boolean {
  const { env } = process
  if ((env['NO_COLOR'] ?? '') !== '') return false
  if ((env['FORCE_COLOR'] ?? '0') !== '0') return true
  return stream.isTTY && env['TERM'] !== 'dumb'
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
