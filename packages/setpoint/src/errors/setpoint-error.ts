import type { ErrorCode } from './codes.ts'
import { sourceLine } from './source-line.ts'
import { withoutValues } from './without-values.ts'

/** Optional parts of an error. */
export interface SetpointErrorOptions {
  /** An instruction for the reader: how to solve the problem. */
  readonly hint?: string
  /** The underlying error. */
  readonly cause?: unknown
}

/**
 * The error class of Setpoint. Match on `code` (or use `isSetpointError`), not on `instanceof`: two
 * copies of the package in one process have two classes but the same codes.
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

/** Whether a caught value is an error of Setpoint, optionally with a given code. */
export function isSetpointError(error: unknown, code?: ErrorCode): error is SetpointError {
  return (
    error instanceof Error &&
    error.name === 'SetpointError' &&
    'code' in error &&
    (code === undefined || error.code === code)
  )
}

/**
 * The first line of an error's message, for any thrown value; hints, stacks and values of fields are
 * omitted.
 */
export function headline(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n')
  return withSourceLine(withoutValues(line), error)
}

/** A message with the place of a programming error. */
export function withSourceLine(message: string, error: unknown): string {
  const place = sourceLine(error)
  return place === undefined ? message : `${message} (${place})`
}

/**
 * The message of any thrown value. `fetch` only says "fetch failed": its cause has the host, the
 * port and the code, such as ECONNREFUSED.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return textOf(error)
  const message = textOf(error.message)
  const { cause } = error
  if (message !== 'fetch failed' || !(cause instanceof Error)) return message
  // A name with several addresses fails with several errors, and no message of its own.
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  const texts = causes.map((each) => textOf(each instanceof Error ? each.message : each))
  return `${message}: ${[...new Set(texts)].join(', ')}`
}

/** Any value as text: an author may throw one whose conversion throws. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'a value was thrown that cannot be converted to text'
  }
}

/**
 * Asserts a condition that must always hold. It stays on in production: a controller with corrupt
 * state must stop rather than write to a cluster.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition === false || condition === undefined || condition === null) {
    throw new SetpointError('INVARIANT_VIOLATED', message, {
      hint: 'this is a bug in Setpoint; please report it with the stack trace',
    })
  }
}
