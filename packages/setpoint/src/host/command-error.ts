import { SetpointError } from '../errors/index.ts'

/** The error for a program without a result; both hosts use the same text. */
export function commandError(command: string, why: string, cause?: unknown): SetpointError {
  return new SetpointError('COMMAND_FAILED', `could not run ${command}: ${why}`, {
    hint: 'check that the program is installed and on the PATH, and run it by hand',
    ...(cause === undefined ? {} : { cause }),
  })
}
