/**
 * errors/: the one error class and its catalogue of codes.
 *
 * Every folder throws through here, so that a user can match on `code`, read what happened and what
 * to do (`hint`), and follow `cause` down to the operating system. Nothing is below this folder.
 */
export { errorCodes, type ErrorCode } from './codes.ts'
export {
  headline,
  invariant,
  isSetpointError,
  SetpointError,
  type SetpointErrorOptions,
} from './setpoint-error.ts'
