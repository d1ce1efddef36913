import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The exit code of a command, with both of its outputs in order. */
interface CommandResult {
  readonly code: number
  readonly output: string
}

/** A program in another terminal. */
export class BackgroundCommand {
  readonly line: number
  readonly command: string
  readonly ended: Promise<number>
  /** How many lines of its output the document has matched already. */
  shownLines = 0
  output = ''
  isRunning = true
  readonly #child: ChildProcess

  constructor(child: ChildProcess, line: number, command: string) {
    this.#child = child
    this.line = line
    this.command = command
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()))
    }
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.isRunning = false
        resolve(code ?? (signal === null ? 1 : 130))
      })
    })
  }

  /** Sends a signal to it and to everything it has started. */
  kill(signal: NodeJS.Signals): void {
    killGroup(this.#child, signal)
  }
}

/** The timeout of a foreground command. */
const commandMsMax = 120_000
/** How long processes may take to end by themselves. */
const graceMs = 10_000

/**
 * A shell with a folder and variables that commands change for those after them. Every command is a
 * process group.
 */
export class Shell {
  readonly #state: string
  readonly #groups = new Set<ChildProcess>()
  readonly #atExit = (): void => this.#killAll('SIGKILL')

  /** `state`: a folder for the state between commands. */
  constructor(state: string, folder: string, env: Readonly<Record<string, string>>) {
    this.#state = state
    mkdirSync(state, { recursive: true })
    writeFileSync(join(state, 'folder'), folder)
    const variables = Object.entries(env).map(
      ([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
    )
    writeFileSync(join(state, 'variables'), `${variables.join('\n')}\n`)
    process.once('exit', this.#atExit)
  }

  /** The current folder of commands. */
  get folder(): string {
    return readFileSync(join(this.#state, 'folder'), 'utf8').trimEnd()
  }

  /** Runs a command to its end. */
  async run(command: string): Promise<CommandResult> {
    const state = this.#state
    const script = [
      ...this.#preamble,
      `. '${state}/command'`,
      'setpoint_code=$?',
      `pwd > '${state}/folder'`,
      `export -p > '${state}/variables'`,
      'exit $setpoint_code',
    ].join('\n')
    writeFileSync(join(state, 'command'), `${command}\n`)
    const child = this.#start(script)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    const timer = setTimeout(() => killGroup(child, 'SIGKILL'), commandMsMax)
    const code = await new Promise<number>((resolve) => {
      // A child process of the command may keep its output open: the end of the command itself
      // counts.
      child.once('exit', (status) => setTimeout(() => resolve(status ?? 137), 20))
      child.once('close', (status) => resolve(status ?? 137))
    })
    clearTimeout(timer)
    return { code, output }
  }

  /** Starts a command as in another terminal. */
  begin(line: number, command: string): BackgroundCommand {
    const script = [
      ...this.#preamble,
      // Not as a background job of the shell: without a terminal it would ignore Ctrl-C.
      command,
    ].join('\n')
    return new BackgroundCommand(this.#start(script), line, command)
  }

  get #preamble(): string[] {
    return [`. '${this.#state}/variables'`, `cd "$(cat '${this.#state}/folder')" || exit 1`]
  }

  /** Ends all started processes. */
  async dispose(): Promise<void> {
    this.#killAll('SIGTERM')
    const endMs = performance.now() + graceMs
    while (this.#living().length > 0 && performance.now() < endMs) await sleep(50)
    this.#killAll('SIGKILL')
    process.off('exit', this.#atExit)
  }

  #start(script: string): ChildProcess {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {},
    })
    this.#groups.add(child)
    return child
  }

  #living(): ChildProcess[] {
    return [...this.#groups].filter((child) => killGroup(child, 0))
  }

  #killAll(signal: NodeJS.Signals): void {
    for (const child of this.#groups) killGroup(child, signal)
  }
}

/** Whether the process group exists; signal 0 only checks. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}
