import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import { SetpointError } from 'setpoint'

/**
 * Runs a program on the terminal of this process; resolves with its exit code, or 128 plus the
 * number of the signal that ended it. The terminal sends Ctrl-C to the program too, which decides
 * when to end.
 */
export async function runAttached(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly folder?: string } = {},
): Promise<number> {
  const isScript = process.platform === 'win32' && /\.(cmd|bat)$/i.test(command)
  const child = spawn(command, args, {
    stdio: 'inherit',
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    env: { ...process.env, ...options.env },
    // Windows starts scripts only through its shell.
    shell: isScript,
  })
  // The terminal sends Ctrl-C to both processes; other signals are forwarded.
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal)
  const signals = ['SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, passOn)
  return new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => {
      reject(
        new SetpointError('COMMAND_FAILED', `failed to start ${command}: ${cause.message}`, {
          cause,
        }),
      )
    })
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  }).finally(() => {
    for (const signal of signals) process.off(signal, passOn)
  })
}
