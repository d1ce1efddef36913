import type { CommandOptions, CommandResult } from '../host.ts'
import type { KillSignal, StartCommandOptions } from '../processes.ts'

/** A program of a virtual world: what it does is a function. It ends with 0 unless it says otherwise. */
export type VirtualCommand = (options: CommandOptions) => Partial<CommandResult>

/** What a program of a virtual world finds when it is started. */
export interface VirtualProcess extends StartCommandOptions {
  /** What is written to it, until its input ends. */
  readonly input: AsyncIterable<Uint8Array>
  /** Writes to its output, as it is. */
  print(text: string): void
  /** Writes to its other output. */
  complain(text: string): void
  /** Hears of signals; `SIGKILL` is not heard of. Without this they end the program. */
  onSignal(run: (signal: KillSignal) => void): void
}

/** A program of a virtual world that stays: it ends when its promise resolves, with that exit code. */
export type VirtualProgram = (self: VirtualProcess) => Promise<number>
