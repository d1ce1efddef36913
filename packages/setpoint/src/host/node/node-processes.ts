import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { commandError } from '../command-error.ts'
import type {
  CommandEnd,
  KillSignal,
  Processes,
  RunningCommand,
  StartCommandOptions,
} from '../processes.ts'
import { type Hold, rootVariable, Supervisor } from './supervisor.ts'

/** Programs of the machine, each with its own process group, under one supervisor. */
export function nodeProcesses(): Processes {
  const supervisor = new Supervisor()
  return {
    startCommand: async (command, options = {}) => {
      const hold = await supervisor.hold()
      try {
        return await startedCommand(command, options, hold)
      } catch (error) {
        hold.release()
        throw error
      }
    },
    temporaryDirectory: async () => {
      const hold = await supervisor.hold()
      const path = await mkdtemp(`${hold.root}/d`)
      return {
        path,
        [Symbol.asyncDispose]: async () => {
          await rm(path, { recursive: true, force: true, maxRetries: 5 })
          hold.release()
        },
      }
    },
  }
}

async function startedCommand(
  command: string,
  { args = [], env = {}, directory }: StartCommandOptions,
  hold: Hold,
): Promise<RunningCommand> {
  const child = spawn(command, [...args], {
    ...(directory === undefined ? {} : { cwd: directory }),
    detached: true,
    env: { ...env, [rootVariable]: hold.root },
    stdio: 'pipe',
    windowsHide: true,
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(commandError(command, error.message, error)))
  })
  const { pid = 0 } = child
  hold.report(`+${pid}`)
  const kill = (signal: KillSignal): void => {
    try {
      process.kill(-pid, signal)
    } catch {
      // The group has no process any more.
    }
  }
  const ended = endOf(child).then((end) => {
    kill('SIGKILL')
    hold.report(`-${pid}`)
    hold.release()
    return end
  })
  child.stdin.on('error', () => undefined)
  return {
    pid,
    kill,
    ended,
    stdout: chunksOf(child.stdout),
    stderr: chunksOf(child.stderr),
    write: (data) => new Promise((resolve) => void child.stdin.write(data, () => resolve())),
    closeInput: () => void child.stdin.end(),
  }
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (signal === null) resolve({ exitCode: code ?? 0 })
      else resolve({ exitCode: 128 + constants.signals[signal], signal })
    })
  })
}

async function* chunksOf(stream: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}
