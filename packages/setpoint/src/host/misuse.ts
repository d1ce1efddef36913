import { SetpointError } from '../errors/index.ts'

/** The error for a call that contradicts the host's contract: the caller has to change. */
export function misuse(message: string, hint: string): SetpointError {
  return new SetpointError('HOST_MISUSED', message, { hint })
}
