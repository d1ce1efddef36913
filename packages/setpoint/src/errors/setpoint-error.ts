import type { ErrorCode } from './codes.ts'

/** What may accompany an error beyond its code and message. */
export interface SetpointErrorOptions {
  /** What the reader should do about it, as an instruction. */
  readonly hint?: string
  /** The error underneath, kept so that nothing is lost on the way up. */
  readonly cause?: unknown
}

/**
 * The one class of error Setpoint throws. Match on `code` (or use `isSetpointError`), not on
 * `instanceof`: two copies of the package in one process have two classes but one set of codes.
 */
export class SetpointError extends Error {
  override readonly name = 'SetpointError'
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, options: SetpointErrorOptions = {}) {
    super(
      options.hint === undefined ? message : `${message}\n  hint: ${options.hint}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.code = code
    this.hint = options.hint
  }
}

/** Tells whether a caught value is an error of Setpoint's, optionally of one given code. */
export function isSetpointError(error: unknown, code?: ErrorCode): error is SetpointError {
  return (
    error instanceof Error &&
    error.name === 'SetpointError' &&
    'code' in error &&
    (code === undefined || error.code === code)
  )
}

/** What happened in one line, whatever was thrown: hints and stacks are for those who read the whole. */
export function headline(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''
  } catch {
    return 'something was thrown that cannot be put into words'
  }
}

/**
 * States something that must hold whatever the user does. It stays on in production: a controller
 * that has lost track of its own state must stop rather than write to a cluster.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition === false || condition === undefined || condition === null) {
    throw new SetpointError('INVARIANT_VIOLATED', message, {
      hint: 'this is a bug in Setpoint; please report it with the stack trace',
    })
  }
}
