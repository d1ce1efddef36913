/**
 * The host: everything a process gets from its environment. The interfaces are small, so that a
 * function can ask for exactly what it needs (`Clock & Timers`) and a reader can see it.
 *
 * This is a low-level interface: its times and delays are numbers of milliseconds. The options of
 * everything above it take a `Duration`.
 */
import type { Network } from './http/http.ts'
import type { Processes } from './processes.ts'

/** Two clocks, because wall time may jump: take dates from one and durations from the other. */
export interface Clock {
  /** Wall-clock time as epoch milliseconds. It may jump when the machine's clock is corrected. */
  now(): number
  /** Milliseconds since an arbitrary start. It never goes back; use it to measure durations. */
  monotonicMs(): number
}

/** A pending callback. */
export interface Timer {
  /** Prevents the callback; has no effect when it already ran. */
  cancel(): void
}

/** Timers. A delay may have any length, even beyond the 24.8 days of `setTimeout`. */
export interface Timers {
  /**
   * Calls `run` once after `delayMs`; `Infinity` means never, negative means as soon as possible.
   */
  setTimer(delayMs: number, run: () => void): Timer
  /** Resolves after `ms`; rejects with `ABORTED` as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Randomness. In production it is unpredictable; on a virtual host the seed determines it. */
export interface Random {
  /** Random bytes; on the real host good enough for keys and tokens. */
  randomBytes(count: number): Uint8Array
  /** A number in [0, 1), for jitter and sampling; not for secrets. */
  random(): number
  /** A random (version 4) UUID. */
  uuid(): string
}

/** The result of `Files.fileInfo` for a path that exists. */
export interface FileInfo {
  readonly sizeBytes: number
  /** The time of the last change of the content, as epoch milliseconds. */
  readonly modifiedMs: number
  readonly isDirectory: boolean
}

/** Files, for credentials, certificates and generated manifests. */
export interface Files {
  /** Rejects with `FILE_NOT_FOUND` or `FILE_UNREADABLE`. */
  readFile(path: string): Promise<Uint8Array>
  /**
   * Replaces a file atomically: a reader sees the old or the new content, never a part. The
   * directory must exist. `mode` has the permission bits of the new file.
   */
  writeFile(
    path: string,
    data: string | Uint8Array,
    options?: { readonly mode?: number | undefined },
  ): Promise<void>
  /** The names in a directory, sorted. */
  listDirectory(path: string): Promise<string[]>
  /** Creates a directory and its missing parents; an existing one is not an error. */
  makeDirectory(path: string): Promise<void>
  /** Removes a file, or a directory with its content; a missing one is not an error. */
  remove(path: string): Promise<void>
  /** `undefined` when nothing exists at the path. */
  fileInfo(path: string): Promise<FileInfo | undefined>
}

/** Environment variables, read on each call, so that nothing depends on import order. */
export interface Environment {
  env(name: string): string | undefined
}

/** The options of a program. */
export interface CommandOptions {
  readonly args?: readonly string[] | undefined
  /** Added to the variables of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** How long it may take; 60 s by default. */
  readonly timeoutMs?: number | undefined
}

/** The result of a program that ended. Each output is cut at 1 MiB. */
export interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Other programs, for credential plugins. No shell is involved. */
export interface Commands {
  /** Rejects with `COMMAND_FAILED` when it cannot be started or takes too long. */
  runCommand(command: string, options?: CommandOptions): Promise<CommandResult>
}

/** The signals with which a supervisor asks to stop or reload. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Signals of the operating system to the process. */
export interface Signals {
  /**
   * While subscribed, the signal no longer ends the process. Returns a function that unsubscribes.
   */
  onSignal(signal: Signal, run: () => void): () => void
}

/** An uncaught exception or an unhandled promise rejection. */
export type UncaughtKind = 'exception' | 'rejection'

/** The end of the process, and errors that would end it. */
export interface ProcessEnd {
  /** Ends the process immediately; nothing in progress continues. */
  exit(code: number): void
  /**
   * While subscribed, uncaught errors no longer end the process. Returns a function that
   * unsubscribes.
   */
  onUncaught(run: (error: unknown, kind: UncaughtKind) => void): () => void
}

/** The resource usage of this process. */
export interface ProcessUsage {
  /** CPU time since its start, in user and system mode. */
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapUsedBytes: number
  readonly heapTotalBytes: number
  /** As epoch milliseconds. */
  readonly startedMs: number
  /** Files and sockets; `undefined` when the system does not provide it. */
  readonly openFiles: number | undefined
}

/** The usage of the process. */
export interface ProcessMeter {
  /** `undefined` on a virtual host, which is not a process. */
  usage(): ProcessUsage | undefined
}

/** The output of log lines. The logger is responsible for format and levels. */
export interface LogSink {
  /** Writes one line, without its newline. */
  log(line: string): void
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean
}

/**
 * The only access to the outside world. Everything above `host/` receives one, so that the same
 * code runs in production (`nodeHost`) and in simulation (`virtualHost`).
 */
export interface Host
  extends
    Clock,
    Timers,
    Random,
    Network,
    Files,
    Environment,
    Commands,
    Processes,
    Signals,
    ProcessEnd,
    ProcessMeter,
    LogSink {}
