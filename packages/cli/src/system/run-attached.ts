import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import process from 'node:process'
import { SetpointError } from 'setpoint'

/**
 * Runs a program at our terminal, as if it had been called instead of us; resolves with its exit code (128 and the number
 * of the signal when one ended it). Ctrl-C reaches it from the terminal, so it decides when to end.
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
    // Windows starts scripts through its shell only.
    shell: isScript,
  })
  // A terminal sends Ctrl-C to both; whoever else sends signals means the program.
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal)
  const signals = ['SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, passOn)
  return new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => {
      reject(
        new SetpointError('COMMAND_FAILED', `${command} could not be started: ${cause.message}`, {
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
