/**
 * errors/: the error class and its catalogue of codes.
 *
 * All folders throw this class, so that a user can match on `code`, read what happened and what to
 * do (`hint`), and follow `cause` down to the operating system. This folder imports no other.
 */
export { errorCodes, type ErrorCode } from './codes.ts'
export {
  headline,
  invariant,
  isSetpointError,
  messageOf,
  SetpointError,
  type SetpointErrorOptions,
  withSourceLine,
} from './setpoint-error.ts'
export { calledAt, isProgrammingError, thrownAt } from './source-line.ts'
export { withoutValues } from './without-values.ts'
