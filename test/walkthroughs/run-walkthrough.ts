/**
 * Executes a document as written, and compares the output. The conventions:
 *
 * - A fence ```` ```console ```` has commands after `$ `, each with its expected output below it;
 *   without output only the exit code counts. `...` alone on a line matches any lines, in a line
 *   any text. Ages, times, generated names, addresses, uids and revisions match any of their kind,
 *   and runs of spaces any other.
 * - A command that only reads (kubectl get, describe, logs, cat, curl, ...) is repeated until its
 *   output matches, for 30 s (90 s on a real cluster). Other commands run once. `cd`, `export`,
 *   pipes, here-documents and `\` work: the shell is bash, and its state is kept.
 * - `npx setpoint dev`, `npx setpoint run`, `kubectl get -w`, `kubectl logs -f` and commands that
 *   end with ` &` run in the background. The test waits for the lines below them in their output, with any lines between them, and for lines at the beginning of a later block, before its first command.
 *   `^C` ends the latest background command, `kill %1` the first.
 * - A fence of another language with a file name, ```` ```ts src/operator.ts ````, is written to
 *   that file.
 * - ```` ```console embedded ```` is left out on a real cluster.
 *
 * A document runs in a copy of its folder, and can create folders next to it; all of its processes are ended afterwards.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installedPackages, linkPackages } from '../installed-packages.ts'
import { findLines, matchesOutput, outputLines } from './matches-output.ts'
import { type CommandStep, readDocument, type Step } from './read-document.ts'
import { type BackgroundCommand, Shell } from './shell.ts'
import { commandEnvironment, repository } from './shims.ts'
import { WalkthroughError } from './walkthrough-error.ts'

/** The prefix of the folders in which documents of this process run. */
export const scratchPrefix = join(tmpdir(), `setpoint-walkthrough-${process.pid}-`)

const isReal = process.env['SETPOINT_TEST_WORLD'] === 'real'
/**
 * How long to wait for output. A real garbage collector needs half a minute to discover a new kind.
 */
const waitMsMax = isReal ? 90_000 : 30_000
const repeatMs = 250

/** All documents of a process use the same bundle, even when the sources change. */
let installing: Promise<string> | undefined

const readsOnly =
  /^(?:npx setpoint )?kubectl (?:-n \S+ )?(?:get|describe|logs|api-resources|version|auth)\b|^(?:cat|curl|ls|head|grep|jq|test|find|wc)\b/
const staysRunning =
  /^(?:\w+=\S* )*(?:npx setpoint (?:dev|run)|npm start|npm run (?:dev|start))\b|^(?:npx setpoint )?kubectl (?:get .*(?:-w|--watch)|logs .*(?:-f|--follow))(?:\s|$)|\s&$/
/** Commands that match the background commands, but end immediately. */
const exitsImmediately = /\s(?:--help|-h|--version)\b/

/**
 * Runs a document by its path from the root of the repository; throws a `WalkthroughError` for a
 * difference.
 */
export async function runWalkthrough(
  document: string,
  options: { readonly waitMs?: number } = {},
): Promise<void> {
  const source = join(repository, document)
  const steps = readDocument(readFileSync(source, 'utf8'), isReal)
  const scratch = mkdtempSync(`${scratchPrefix}${basename(dirname(source))}-`)
  try {
    const folder = join(scratch, basename(dirname(source)))
    cpSync(dirname(source), folder, { recursive: true, filter: isCopied })
    // Next to the copy, not in it, because documents install packages. Not below node_modules,
    // which vitest and stack traces treat as foreign code.
    const installed = await (installing ??= installedPackages())
    linkPackages(scratch, installed)
    if (isReal) giveKubeconfig(folder)
    const env = commandEnvironment(scratch, installed)
    const shell = new Shell(join(scratch, 'shell'), folder, env)
    const waitMs = options.waitMs ?? waitMsMax
    try {
      await new Walkthrough({ document, folder, shell, waitMs }).run(steps)
    } finally {
      await shell.dispose()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isCopied(path: string): boolean {
  return !['node_modules', '.setpoint', 'dist'].includes(basename(path))
}

/**
 * The path at which `setpoint dev` writes its kubeconfig, so that documents work on a real cluster
 * too.
 */
function giveKubeconfig(folder: string): void {
  mkdirSync(join(folder, '.setpoint'))
  cpSync(process.env['SETPOINT_TEST_KUBECONFIG'] ?? '', join(folder, '.setpoint/kubeconfig'))
}

interface WalkthroughPlace {
  readonly document: string
  readonly folder: string
  readonly shell: Shell
  readonly waitMs: number
}

class Walkthrough {
  readonly #place: WalkthroughPlace
  readonly #background: BackgroundCommand[] = []

  constructor(place: WalkthroughPlace) {
    this.#place = place
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      switch (step.kind) {
        case 'file':
          this.#writeFile(step.path, step.text)
          break
        case 'output':
          await this.#awaitOutput(step.line, step.expected)
          break
        case 'interrupt':
          await this.#interrupt(step.line, step.expected)
          break
        case 'command':
          await this.#command(step)
      }
    }
  }

  #writeFile(path: string, text: string): void {
    const file = join(this.#place.shell.folder, path)
    if (relative(dirname(this.#place.folder), file).startsWith('..')) {
      throw new Error(`${this.#place.document}: ${path} is outside of its scratch folder`)
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  async #command(step: CommandStep): Promise<void> {
    const { command, line, expected } = step
    const job = /^kill %(\d+)$/.exec(command)?.[1]
    if (job !== undefined) {
      this.#background[Number(job) - 1]?.kill('SIGTERM')
      await this.#background[Number(job) - 1]?.ended
    } else if (staysRunning.test(command) && !exitsImmediately.test(command)) {
      this.#background.push(this.#place.shell.begin(line, command.replace(/\s*&$/, '')))
      await this.#awaitOutput(line, expected)
    } else await this.#once(step, readsOnly.test(command))
  }

  /** Runs a command until its output matches; only once, if it may change something. */
  async #once(step: CommandStep, mayRepeat: boolean): Promise<void> {
    const { command, expected } = step
    const { shell, waitMs } = this.#place
    const endMs = performance.now() + waitMs
    for (;;) {
      const { code, output } = await shell.run(command)
      const isExpected = expected.length === 0 ? code === 0 : matchesOutput(expected, output)
      if (isExpected) return
      if (!mayRepeat || performance.now() > endMs) {
        const what = expected.length === 0 ? `the command ended with ${code}` : 'the output differs'
        throw this.#error(what, step, output)
      }
      await sleep(repeatMs)
    }
  }

  /** Waits for lines in the output of the latest background command. */
  async #awaitOutput(line: number, expected: readonly string[]): Promise<void> {
    const latest = this.#latest(line)
    const endMs = performance.now() + this.#place.waitMs
    for (;;) {
      const { isRunning } = latest
      const found = findLines(expected, outputLines(latest.output), latest.shownLines)
      if (found !== undefined) {
        latest.shownLines = found
        return
      }
      if (!isRunning || performance.now() > endMs) {
        const what = isRunning ? 'not all lines came' : 'the program ended before all lines came'
        throw this.#error(what, { line, command: latest.command, expected }, latest.output)
      }
      await sleep(50)
    }
  }

  async #interrupt(line: number, expected: readonly string[]): Promise<void> {
    const latest = this.#latest(line)
    latest.kill('SIGINT')
    const timeout = new AbortController()
    const end = sleep(this.#place.waitMs, 'late', { signal: timeout.signal }).catch(() => 'late')
    const outcome = await Promise.race([latest.ended, end])
    timeout.abort()
    if (outcome === 'late') {
      throw this.#error(
        'Ctrl-C did not end it',
        { line, command: latest.command, expected },
        latest.output,
      )
    }
    await this.#awaitOutput(line, expected)
    this.#background.splice(this.#background.indexOf(latest), 1)
  }

  #latest(line: number): BackgroundCommand {
    const latest = this.#background.at(-1)
    if (latest !== undefined) return latest
    throw new Error(`${this.#place.document}:${line}: no command runs in the background`)
  }

  #error(
    what: string,
    step: { line: number; command: string; expected: readonly string[] },
    output: string,
  ): WalkthroughError {
    return new WalkthroughError(what, { document: this.#place.document, ...step, output })
  }
}
