/** What a program that stays is started with. */
export interface StartCommandOptions {
  readonly args?: readonly string[] | undefined
  /** All of its variables: nothing of this process is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Where it works; that of this process unless given. */
  readonly directory?: string | undefined
}

/** How a program ended. */
export interface CommandEnd {
  /** What it exited with; 128 and the number of the signal when one ended it, as shells say it. */
  readonly exitCode: number
  readonly signal?: string
}

/** What a program can be told without words. */
export type KillSignal = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP'

/** A program that was started and may still run. Both of its outputs have to be read: one that is not makes it wait. */
export interface RunningCommand {
  readonly pid: number
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Resolves when there is room for more. What nobody reads any more is dropped. */
  write(data: string | Uint8Array): Promise<void>
  /** Ends its input. */
  closeInput(): void
  /** Reaches the program and everything it has started; harmless when it has ended. */
  kill(signal: KillSignal): void
  /** Never rejects. What the program has started and left behind has been killed by then. */
  readonly ended: Promise<CommandEnd>
}

/** A directory for this process alone. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string
}

/**
 * Programs that stay, and places for them to work in. Neither outlives this process, however it ends: when it is killed,
 * programs are killed and directories removed as well.
 */
export interface Processes {
  /** Starts a program, without a shell; rejects with `COMMAND_FAILED` when it cannot be started. */
  startCommand(command: string, options?: StartCommandOptions): Promise<RunningCommand>
  /** Makes an empty directory that only this user can enter; disposing removes it with everything in it. */
  temporaryDirectory(): Promise<TemporaryDirectory>
}
