import { type ExitCode, exitCodes } from './command.ts'

/**
 * Something a person can do something about: told in a line or two, without a stack. Everything else that is
 * thrown is a mistake of ours or of their program, and is shown with its stack.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode
  /** What to do. */
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
