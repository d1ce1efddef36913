import type { Host } from 'setpoint/host'
import type { Terminal } from './terminal.ts'

/** How a command ends; docs/reference/cli.md tells people what to expect of each. */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** It could not be done, or what was checked is not as it should be. */
  failed: 1,
  /** It was called in a way that makes no sense; nothing was done. */
  usage: 2,
  /** A question was answered with no, or nobody was there to answer it; nothing was done. */
  declined: 3,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

/** One of the documented exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What a command can be told with `--name`. */
export interface OptionDeclaration {
  /** Without the dashes. */
  readonly name: string
  /** One letter, without the dash. */
  readonly short?: string
  /** What stands for the value in the help (`FILE`); an option without one is a yes. */
  readonly value?: string
  /** It may be given several times. */
  readonly isRepeated?: boolean
  /** The only values it takes. */
  readonly choices?: readonly string[]
  readonly summary: string
}

/** What a command is told by position. */
interface ArgumentDeclaration {
  /** In capitals, as the help shows it. */
  readonly name: string
  readonly summary: string
  readonly isOptional?: boolean
  readonly isRepeated?: boolean
  /** The only values it takes. */
  readonly choices?: readonly string[]
}

/** What a command was told, checked against its declaration. */
export interface CommandInput {
  readonly arguments: readonly string[]
  /** Whether an option without a value was given. */
  has(option: string): boolean
  /** The value of an option, if it was given. */
  value(option: string): string | undefined
  /** All values of an option that may be repeated. */
  values(option: string): readonly string[]
}

/** What a command has of the world. */
export interface CommandContext {
  readonly host: Host
  readonly terminal: Terminal
  /** The folder it was called in. */
  readonly folder: string
  /** Aborted by Ctrl-C and SIGTERM: end in order. */
  readonly signal: AbortSignal
}

/** Does what a command promises; ends with 0 unless it says otherwise. */
export type RunCommand = (
  context: CommandContext,
  input: CommandInput,
) => Promise<ExitCode | undefined>

/** A command, as the help, the completion and the parser see it. */
export interface CommandDeclaration {
  /** One word, or two: `add resource`. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What a person should know before using it. */
  readonly details?: string
  readonly arguments?: readonly ArgumentDeclaration[]
  readonly options: readonly OptionDeclaration[]
  readonly examples: readonly { readonly command: string; readonly what: string }[]
  /** Everything after the name is handed over as it is, also what looks like options. */
  readonly isPassedThrough?: boolean
  /** It ends by itself when `signal` is aborted; others are ended where they are. */
  readonly isOrderly?: boolean
  /** Not for people: left out of the help and of the completion. */
  readonly isHidden?: boolean
  /** Loads the code that does it, so that `setpoint --help` loads none. */
  load(): Promise<RunCommand>
}
