import { commandError } from '../command-error.ts'
import type { Files } from '../host.ts'
import type {
  CommandEnd,
  KillSignal,
  Processes,
  RunningCommand,
  StartCommandOptions,
} from '../processes.ts'
import { ReceiveBuffer } from './receive-buffer.ts'
import type { Scheduler } from './scheduler.ts'
import type { VirtualProcess, VirtualProgram } from './virtual-program.ts'

/** The dependencies of virtual programs. */
interface ProcessesOptions {
  readonly scheduler: Scheduler
  readonly programs: Readonly<Record<string, VirtualProgram>>
  readonly files: Files
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 } as const

/** Long-running programs as functions; each start is an action of the scheduler. */
export function virtualProcesses({ scheduler, programs, files }: ProcessesOptions): Processes {
  let pids = 0
  let directories = 0
  return {
    startCommand: (command, options = {}) =>
      new Promise((resolve, reject) => {
        const run = (): void => {
          const program = Object.hasOwn(programs, command) ? programs[command] : undefined
          pids += 1
          if (program !== undefined) resolve(started(program, options, pids))
          else reject(commandError(command, `spawn ${command} ENOENT`))
        }
        scheduler.soon({ label: `start ${command}`, run })
      }),
    temporaryDirectory: async () => {
      directories += 1
      const path = `/tmp/setpoint-${directories}`
      await files.makeDirectory(path)
      return { path, [Symbol.asyncDispose]: () => files.remove(path) }
    },
  }
}

const noHooks = { taken: () => undefined, cancelled: () => undefined, drained: () => undefined }

function started(
  program: VirtualProgram,
  options: StartCommandOptions,
  pid: number,
): RunningCommand {
  const encoder = new TextEncoder()
  const [input, stdout, stderr] = [
    new ReceiveBuffer(noHooks),
    new ReceiveBuffer(noHooks),
    new ReceiveBuffer(noHooks),
  ]
  let signalListener: ((signal: KillSignal) => void) | undefined
  let end = (_end: CommandEnd): void => undefined
  const ended = new Promise<CommandEnd>((resolve) => {
    end = (how) => {
      for (const box of [input, stdout, stderr]) box.end()
      resolve(how)
    }
  })
  const endBy = (signal: KillSignal): void => end({ exitCode: 128 + signalNumbers[signal], signal })
  const self: VirtualProcess = {
    ...options,
    input: input.body,
    print: (text) => stdout.deliver(encoder.encode(text)),
    printError: (text) => stderr.deliver(encoder.encode(text)),
    onSignal: (run) => (signalListener = run),
  }
  // A program that throws has crashed.
  program(self).then(
    (exitCode) => end({ exitCode }),
    () => endBy('SIGQUIT'),
  )
  return {
    pid,
    ended,
    stdout: stdout.body,
    stderr: stderr.body,
    write: async (data) => input.deliver(typeof data === 'string' ? encoder.encode(data) : data),
    closeInput: () => input.end(),
    kill: (signal) => {
      if (signal !== 'SIGKILL' && signalListener !== undefined) signalListener(signal)
      else endBy(signal)
    },
  }
}
