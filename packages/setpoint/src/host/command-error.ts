import { SetpointError } from '../errors/index.ts'

/** A program that gave no result; both hosts speak with the same words. */
export function commandError(command: string, why: string, cause?: unknown): SetpointError {
  return new SetpointError('COMMAND_FAILED', `could not run ${command}: ${why}`, {
    hint: 'check that the program is installed and on the PATH, and try it by hand',
    ...(cause === undefined ? {} : { cause }),
  })
}
