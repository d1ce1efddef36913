import { execFile } from 'node:child_process'
import { commandError } from '../command-error.ts'
import type { CommandOptions, CommandResult } from '../host.ts'
import { COMMAND_OUTPUT_BYTES_MAX, COMMAND_TIMEOUT_MS_DEFAULT } from '../limits.ts'

/** Runs a program to its end, without a shell. */
export function nodeCommand(
  command: string,
  { args = [], env = {}, timeoutMs = COMMAND_TIMEOUT_MS_DEFAULT }: CommandOptions = {},
): Promise<CommandResult> {
  const options = {
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: COMMAND_OUTPUT_BYTES_MAX,
    windowsHide: true,
  } as const
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ exitCode: 0, stdout, stderr })
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout, stderr })
      else if (error.killed === true) {
        reject(commandError(command, `it did not end within ${timeoutMs} ms`, error))
      } else reject(commandError(command, error.message, error))
    })
    child.stdin?.end()
  })
}
