/** The options of a long-running program. */
export interface StartCommandOptions {
  readonly args?: readonly string[] | undefined
  /** All its variables: those of this process are not passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The working directory; by default the directory of this process. */
  readonly directory?: string | undefined
}

/** How a program ended. */
export interface CommandEnd {
  /** The exit code; 128 plus the number of the signal that ended it, as in shells. */
  readonly exitCode: number
  readonly signal?: string
}

/** The signals that can be sent to a program. */
export type KillSignal = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP'

/** A started program. Both outputs have to be read: otherwise the program blocks. */
export interface RunningCommand {
  readonly pid: number
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Resolves when there is room for more. Data that is not read any more is dropped. */
  write(data: string | Uint8Array): Promise<void>
  /** Ends its input. */
  closeInput(): void
  /** Reaches the program and all its processes; has no effect when it has ended. */
  kill(signal: KillSignal): void
  /** Never rejects. Processes that the program left behind have been killed by then. */
  readonly ended: Promise<CommandEnd>
}

/** A directory for this process alone. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string
}

/**
 * Long-running programs, and working directories for them. Neither outlives this process, even when
 * it is killed: then programs are killed and directories removed as well.
 */
export interface Processes {
  /** Starts a program, without a shell; rejects with `COMMAND_FAILED` when it cannot be started. */
  startCommand(command: string, options?: StartCommandOptions): Promise<RunningCommand>
  /**
   * Creates an empty directory that only this user can enter; disposing removes it with its
   * content.
   */
  temporaryDirectory(): Promise<TemporaryDirectory>
}
