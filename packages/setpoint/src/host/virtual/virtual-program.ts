import type { CommandOptions, CommandResult } from '../host.ts'
import type { KillSignal, StartCommandOptions } from '../processes.ts'

/** A program of a virtual host, as a function. Its default exit code is 0. */
export type VirtualCommand = (options: CommandOptions) => Partial<CommandResult>

/** The environment of a virtual program. */
export interface VirtualProcess extends StartCommandOptions {
  /** The bytes written to it, until its input ends. */
  readonly input: AsyncIterable<Uint8Array>
  /** Writes to its standard output. */
  print(text: string): void
  /** Writes to its standard error. */
  printError(text: string): void
  /** Receives signals, except `SIGKILL`. Without it a signal ends the program. */
  onSignal(run: (signal: KillSignal) => void): void
}

/**
 * A long-running program of a virtual host: it ends when its promise resolves with the exit code.
 */
export type VirtualProgram = (self: VirtualProcess) => Promise<number>
