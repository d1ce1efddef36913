import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** How a program is started. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
}

/** A line that a program printed, and its time. */
interface PrintedLine {
  readonly atMs: number
  readonly rest: string
}

const graceMs = 10_000
const logCharactersShown = 2000

/** A measured program. It can be started again after it was stopped. */
export class MeasuredProgram implements AsyncDisposable {
  /** Rejects when the program ended without being stopped. */
  readonly failed: Promise<never>
  readonly #command: Command
  readonly #env: Readonly<Record<string, string>>
  readonly #logPath: string
  readonly #log: WriteStream
  readonly #waiting = new Map<string, (line: PrintedLine) => void>()
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #isStopping = false
  #fail: (error: Error) => void = () => undefined

  constructor(command: Command, env: Readonly<Record<string, string>>, logPath: string) {
    this.#command = command
    this.#env = env
    this.#logPath = logPath
    this.#log = createWriteStream(logPath)
    this.failed = new Promise<never>((_, reject) => (this.#fail = reject))
    // Measurements race against this promise; without one, the rejection is ignored.
    this.failed.catch(() => undefined)
  }

  /** Zero when it does not run. */
  get pid(): number {
    const child = this.#child
    return child?.exitCode === null && child.signalCode === null ? (child.pid ?? 0) : 0
  }

  start(): void {
    const { file, args } = this.#command
    const child = spawn(file, args, {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const kill = (): boolean => child.kill('SIGKILL')
    process.once('exit', kill)
    this.#isStopping = false
    child.stderr.on('data', (chunk: Buffer) => this.#log.write(chunk))
    createInterface({ input: child.stdout }).on('line', (line) => this.#received(line))
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => this.#fail(error))
      child.once('exit', (code, signal) => {
        process.off('exit', kill)
        if (!this.#isStopping) this.#fail(this.#unexpected(code ?? signal))
        resolve()
      })
    })
  }

  /**
   * Resolves when the program prints a line that begins with this word. Call it before that can
   * happen.
   */
  async waitForLine(word: string): Promise<PrintedLine> {
    return new Promise((resolve) => this.#waiting.set(word, resolve))
  }

  async stop(): Promise<void> {
    if (this.pid === 0) return
    this.#isStopping = true
    this.#child?.kill('SIGTERM')
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), graceMs)
    await this.#ended
    clearTimeout(timer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    this.#log.end()
  }

  #received(line: string): void {
    this.#log.write(`${line}\n`)
    const [word = '', ...rest] = line.split(' ')
    this.#waiting.get(word)?.({ atMs: performance.now(), rest: rest.join(' ') })
  }

  #unexpected(how: number | string | null): Error {
    const log = readFileSync(this.#logPath, 'utf8').slice(-logCharactersShown)
    return new Error(`${this.#command.file} ended by itself (${how ?? 'unknown'}):\n${log}`)
  }
}
