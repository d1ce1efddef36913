import { type ExitCode, exitCodes } from './command.ts'

/**
 * An error that the user can fix: printed with its hint, without a stack. Any other error is a bug
 * of Setpoint or of the user's modules, and is printed with its stack.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode
  /** An instruction for the user. */
  readonly hint: string | undefined

  constructor(
    message: string,
    options: {
      readonly hint?: string | undefined
      readonly exitCode?: ExitCode
      readonly cause?: unknown
    } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : {})
    this.exitCode = options.exitCode ?? exitCodes.failed
    this.hint = options.hint
  }
}
