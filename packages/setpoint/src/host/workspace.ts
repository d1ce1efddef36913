import { SetpointError } from '../errors/index.ts'
import { commandError } from './command-error.ts'
import type { CommandResult, Environment, Files, Timers } from './host.ts'
import { abortedError, onAbort } from './on-abort.ts'
import type { Processes, RunningCommand } from './processes.ts'

/** The options of a program in a workspace. */
export interface WorkspaceCommand {
  readonly args?: readonly string[] | undefined
  /** Added to `PATH`, and to `HOME` and `TMPDIR`, which are the workspace. Nothing else is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** What the program reads from its standard input. */
  readonly input?: string | undefined
}

/**
 * A directory of this machine for the work of another program: only this user can enter it, and it
 * is removed afterwards, even if this process is killed.
 */
export interface Workspace extends AsyncDisposable {
  readonly path: string
  /** Writes a file that only this user can read: for secrets, which must not be in arguments. */
  write(name: string, data: string | Uint8Array): Promise<void>
  /** The names in the workspace, or in a directory of it. */
  list(directory?: string): Promise<string[]>
  read(name: string): Promise<Uint8Array>
  /**
   * Runs a program in the workspace to its end, without a shell. Any exit code is a result. When
   * the signal of the workspace is aborted, the program gets SIGTERM, 10 seconds later SIGKILL, and
   * the call rejects with `ABORTED` after it ended. Rejects with `COMMAND_FAILED` if the program
   * cannot be started, or writes more than 64 MiB.
   */
  run(command: string, options?: WorkspaceCommand): Promise<CommandResult>
}

type WorkspaceHost = Processes & Files & Environment & Timers

/** How long a program may take to end after SIGTERM. */
const endMsMax = 10_000

/** The largest output of a program that is read completely. */
const outputBytesMax = 64 * 1024 * 1024

/** Opens a workspace. Dispose it: `await using workspace = await openWorkspace(host, signal)`. */
export async function openWorkspace(host: WorkspaceHost, signal?: AbortSignal): Promise<Workspace> {
  const directory = await host.temporaryDirectory()
  const { path } = directory
  const at = (name: string): string => `${path}/${name}`
  return {
    path,
    write: async (name, data) => host.writeFile(at(name), data, { mode: 0o600 }),
    list: async (name = '.') => host.listDirectory(at(name)),
    read: async (name) => host.readFile(at(name)),
    run: async (command, { args, env = {}, input } = {}) => {
      if (signal?.aborted === true) throw abortedError(command, signal)
      const own = { PATH: host.env('PATH') ?? '', HOME: path, TMPDIR: path }
      const options = { args, env: { ...own, ...env }, directory: path }
      const running = await host.startCommand(command, options)
      if (input !== undefined) await running.write(input)
      running.closeInput()
      return resultOf(host, { command, running, signal })
    },
    [Symbol.asyncDispose]: async () => directory[Symbol.asyncDispose](),
  }
}

interface Run {
  readonly command: string
  readonly running: RunningCommand
  readonly signal: AbortSignal | undefined
}

async function resultOf(host: Timers, { command, running, signal }: Run): Promise<CommandResult> {
  const late = new AbortController()
  const end = (): void => {
    running.kill('SIGTERM')
    host.sleep(endMsMax, late.signal).then(
      () => running.kill('SIGKILL'),
      () => undefined,
    )
  }
  const stopListening = onAbort(signal, end)
  if (signal?.aborted === true) end()
  try {
    const [stdout, stderr, { exitCode }] = await Promise.all([
      textOf(running.stdout, { command, running, signal }),
      textOf(running.stderr, { command, running, signal }),
      running.ended,
    ])
    if (signal?.aborted === true) throw abortedError(command, signal)
    return { exitCode, stdout, stderr }
  } finally {
    stopListening()
    late.abort()
  }
}

async function textOf(
  output: AsyncIterable<Uint8Array>,
  { command, running }: Run,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of output) {
    bytes += chunk.byteLength
    if (bytes > outputBytesMax) {
      running.kill('SIGKILL')
      throw commandError(command, `it wrote more than ${outputBytesMax} bytes`)
    }
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Whether an error says that a program could not be started because it is not installed. */
export function isProgramMissing(error: unknown): boolean {
  const isFailed = error instanceof SetpointError && error.code === 'COMMAND_FAILED'
  return isFailed && error.message.includes('ENOENT')
}
