/**
 * The host: everything a process is given by the world around it. The interfaces are small so that
 * a function can ask for exactly what it needs (`Clock & Timers`) and a reader can see it.
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
  /** Makes sure the callback does not run any more; harmless when it already ran. */
  cancel(): void
}

/** Waiting. A delay may be of any length, also beyond the 24.8 days of `setTimeout`. */
export interface Timers {
  /**
   * Calls `run` once after `delayMs`; `Infinity` means never, negative means as soon as possible.
   */
  setTimer(delayMs: number, run: () => void): Timer
  /** Resolves after `ms`; rejects with `ABORTED` as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Chance. In production it is unpredictable; on a virtual host it follows from the seed. */
export interface Random {
  /** Bytes good enough for keys and tokens when the host is the real one. */
  randomBytes(count: number): Uint8Array
  /** A number in [0, 1), for jitter and sampling; not for secrets. */
  random(): number
  /** A random (version 4) UUID. */
  uuid(): string
}

/** What `Files.fileInfo` tells about a path that exists. */
export interface FileInfo {
  readonly sizeBytes: number
  /** Time of the last change of the content, as epoch milliseconds. */
  readonly modifiedMs: number
  readonly isDirectory: boolean
}

/** Files, as far as credentials, certificates and generated manifests need them. */
export interface Files {
  /** Rejects with `FILE_NOT_FOUND` or `FILE_UNREADABLE`. */
  readFile(path: string): Promise<Uint8Array>
  /**
   * Replaces a file atomically: a reader sees the old content or the new one, never a part. The
   * directory must exist. `mode` holds the permission bits of the new file.
   */
  writeFile(
    path: string,
    data: string | Uint8Array,
    options?: { readonly mode?: number | undefined },
  ): Promise<void>
  /** The names in a directory, sorted. */
  listDirectory(path: string): Promise<string[]>
  /** Creates a directory and its missing parents; one that exists is fine. */
  makeDirectory(path: string): Promise<void>
  /** Removes a file, or a directory with everything in it; one that does not exist is fine. */
  remove(path: string): Promise<void>
  /** `undefined` when nothing exists at the path. */
  fileInfo(path: string): Promise<FileInfo | undefined>
}

/** Environment variables, read when asked so that nothing depends on import order. */
export interface Environment {
  env(name: string): string | undefined
}

/** What a program is started with. */
export interface CommandOptions {
  readonly args?: readonly string[] | undefined
  /** Added to the variables of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** How long it may take; 60 s unless said otherwise. */
  readonly timeoutMs?: number | undefined
}

/** What a program that ended left behind. Each output is cut at 1 MiB. */
export interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Other programs, as far as credential plugins need them. No shell is involved. */
export interface Commands {
  /** Rejects with `COMMAND_FAILED` when it cannot be started or takes too long. */
  runCommand(command: string, options?: CommandOptions): Promise<CommandResult>
}

/** The requests to stop or reload that a supervisor can make. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Requests of the operating system to the process. */
export interface Signals {
  /** While subscribed, the signal no longer ends the process. Returns the way to unsubscribe. */
  onSignal(signal: Signal, run: () => void): () => void
}

/** What nobody caught: something thrown, or a promise that was rejected. */
export type UncaughtKind = 'exception' | 'rejection'

/** The end of the process, and what would end it. */
export interface ProcessEnd {
  /** Ends the process now; nothing that is under way goes on. */
  exit(code: number): void
  /**
   * While subscribed, errors that nobody caught no longer end the process. Returns the way to
   * unsubscribe.
   */
  onUncaught(run: (error: unknown, kind: UncaughtKind) => void): () => void
}

/** What this process takes of its machine. */
export interface ProcessUsage {
  /** Processor time since its start, in user and system mode. */
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly heapUsedBytes: number
  readonly heapTotalBytes: number
  /** As epoch milliseconds. */
  readonly startedMs: number
  /** Files and sockets; `undefined` where the system does not tell. */
  readonly openFiles: number | undefined
}

/** What the process knows of itself. */
export interface ProcessMeter {
  /** `undefined` in a simulation, which is no process. */
  usage(): ProcessUsage | undefined
}

/** Where log lines go. Formatting and levels are the logger's business, not the host's. */
export interface LogSink {
  /** Takes one line, without its newline. */
  log(line: string): void
  /** Whether a person reads them as they are written. */
  readonly isTerminal: boolean
}

/**
 * The only door to the world. Everything above `host/` receives one, so that the same bytes run in
 * production (`nodeHost`) and in simulation (`virtualHost`).
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
