import type { Host } from 'setpoint/host'
import type { Terminal } from './terminal.ts'

/** Exit codes, documented in docs/reference/cli.md. */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** The command failed, or a check found problems. */
  failed: 1,
  /** Wrong arguments or options; nothing was done. */
  usage: 2,
  /** A confirmation was denied or not possible; nothing was done. */
  declined: 3,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

/** One of the documented exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An option of a command: `--name`. */
export interface OptionDeclaration {
  /** Without the dashes. */
  readonly name: string
  /** One letter, without the dash. */
  readonly short?: string
  /** The placeholder of the value in the help (`FILE`); an option without one is a boolean. */
  readonly value?: string
  /** It may be given several times. */
  readonly isRepeated?: boolean
  /** The only values it takes. */
  readonly choices?: readonly string[]
  readonly summary: string
}

/** A positional argument of a command. */
interface ArgumentDeclaration {
  /** In capitals, as the help shows it. */
  readonly name: string
  readonly summary: string
  readonly isOptional?: boolean
  readonly isRepeated?: boolean
  /** The only values it takes. */
  readonly choices?: readonly string[]
}

/** The arguments and options of a call, checked against the declaration. */
export interface CommandInput {
  readonly arguments: readonly string[]
  /** Whether an option without a value was given. */
  has(option: string): boolean
  /** The value of an option, if it was given. */
  value(option: string): string | undefined
  /** All values of an option that may be repeated. */
  values(option: string): readonly string[]
}

/** The input of a command besides its arguments. */
export interface CommandContext {
  readonly host: Host
  readonly terminal: Terminal
  /** The folder it was called in. */
  readonly folder: string
  /** Aborted by Ctrl-C and SIGTERM: the command then stops gracefully. */
  readonly signal: AbortSignal
}

/** The code of a command; the exit code is 0 unless it returns another one. */
export type RunCommand = (
  context: CommandContext,
  input: CommandInput,
) => Promise<ExitCode | undefined>

/** A command, as the parser, the help and the completion use it. */
export interface CommandDeclaration {
  /** One word, or two: `add resource`. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The text after the summary in the help. */
  readonly details?: string
  readonly arguments?: readonly ArgumentDeclaration[]
  readonly options: readonly OptionDeclaration[]
  readonly examples: readonly { readonly command: string; readonly what: string }[]
  /** Everything after the name is passed to the command unparsed, also options. */
  readonly isPassedThrough?: boolean
  /** It stops by itself when `signal` is aborted; other commands are ended immediately. */
  readonly stopsGracefully?: boolean
  /** Internal: not in the help and the completion. */
  readonly isHidden?: boolean
  /** Loads the code of the command, so that `setpoint --help` loads none. */
  load(): Promise<RunCommand>
}
