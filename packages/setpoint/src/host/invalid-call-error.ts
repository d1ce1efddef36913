import { SetpointError } from '../errors/index.ts'

/** The error for a call that violates the host's contract: fix the caller. */
export function invalidCallError(message: string, hint: string): SetpointError {
  return new SetpointError('HOST_MISUSED', message, { hint })
}
