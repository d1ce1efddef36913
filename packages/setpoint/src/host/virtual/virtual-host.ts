import { delayFrom, sleepWith } from '../delay.ts'
import type { Host, ProcessEnd, Signal, UncaughtKind } from '../host.ts'
import type { JournalFiles } from '../journal-files.ts'
import { seededRandom } from '../random/seeded-random.ts'
import { BoundedLines } from './bounded-lines.ts'
import type { Intercept } from './intercept.ts'
import { Scheduler } from './scheduler.ts'
import { virtualCommands } from './virtual-commands.ts'
import { virtualFiles } from './virtual-files.ts'
import { virtualProcesses } from './virtual-processes.ts'
import type { VirtualCommand, VirtualProgram } from './virtual-program.ts'
import { VirtualNetwork } from './virtual-network.ts'

/** The options of a virtual host. */
export interface VirtualHostOptions {
  /** Determines all randomness. */
  readonly seed: number | string
  /** The wall-clock time at the start, as epoch milliseconds; 2030-01-01 by default. */
  readonly startTime?: number | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Files that exist at the start, with their directories. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined
  /** Programs that can be run, by name. */
  readonly commands?: Readonly<Record<string, VirtualCommand>> | undefined
  /** Long-running programs that can be started, by name. */
  readonly programs?: Readonly<Record<string, VirtualProgram>> | undefined
  /** Whether the log output is a terminal; not by default. */
  readonly isTerminal?: boolean | undefined
  /** Decides about every timer, request and delivery; see `Verdict`. */
  readonly intercept?: Intercept | undefined
  /** Receives every line of the trace, instead of `host.trace`. */
  readonly trace?: ((line: string) => void) | undefined
  /** Split and merge the chunks of bodies at random, as a real network does. */
  readonly rechunk?: boolean | undefined
  /** `false` stops the clock: time then passes only in `advance`. */
  readonly autoAdvance?: boolean | undefined
}

/** A virtual host, with functions to observe and drive it. */
export interface VirtualHost extends Host, JournalFiles, Disposable {
  /** All events, as `t=<ms since the start> <what>`; only the newest lines when there are many. */
  readonly trace: readonly string[]
  /** The logged lines; only the newest when there are many. */
  readonly logged: readonly string[]
  /** Sends a signal to the process; without a subscriber nothing happens. */
  raise(signal: Signal): void
  /** Raises an uncaught error; without a subscriber nothing happens. */
  raiseUncaught(error: unknown, kind: UncaughtKind): void
  /** The exit code of the process, once it ended; the virtual host continues. */
  readonly exitCode: number | undefined
  /** Resolves when nothing more can happen without time passing. */
  settle(): Promise<void>
  /** Lets time pass; only with `autoAdvance: false`. */
  advance(ms: number): Promise<void>
  /** Stops the virtual host: nothing happens any more. Disposing does the same. */
  stop(): void
}

const START_MS_DEFAULT = Date.UTC(2030, 0, 1)

/**
 * A host without sockets, files or real time, in which the seed decides the order of concurrent
 * events. The same seed gives the same run, with the same trace byte for byte.
 *
 * It controls only what uses it: code that waits for something real (a file, a worker thread,
 * `crypto.subtle`) looks idle, and virtual time advances meanwhile.
 *
 * TLS is only imitated: nothing is encrypted and no client verifies a server. `tls.ca`,
 * `tls.serverName` and `tls.insecureSkipVerify` of a request are ignored, and the PEM text of a
 * server is not validated. Only the schemes must match, and a client certificate is actually
 * verified by `clientCa`. Use `nodeHost` to test whether a program trusts the right server.
 *
 * A proxy is another virtual server. Its handler gets requests for `http:` targets with the whole
 * URL as the path. A tunnel to `https:` is imitated too: any listening server accepts it
 * immediately and without a call of its handler. Where no server listens, the request fails with
 * `NETWORK_CONNECT_FAILED`. Use `nodeHost` to test a proxy that refuses a tunnel.
 */
export function virtualHost(options: VirtualHostOptions): VirtualHost {
  const trace = new BoundedLines()
  const scheduler = new Scheduler({
    random: seededRandom(`${options.seed}/schedule`),
    autoAdvance: options.autoAdvance ?? true,
    intercept: options.intercept,
    trace: options.trace ?? ((line) => trace.push(line)),
  })
  const chunking = options.rechunk === true ? seededRandom(`${options.seed}/chunks`) : undefined
  const network = new VirtualNetwork(scheduler, chunking)
  const end = virtualEnd(scheduler)
  return {
    ...virtualProcess({ scheduler, network }, options),
    exit: end.exit,
    onUncaught: end.onUncaught,
    raiseUncaught: end.raiseUncaught,
    get exitCode() {
      return end.exitCode
    },
    trace: trace.lines,
    settle: () => scheduler.settle(),
    advance: (ms) => scheduler.advance(ms),
    stop: () => scheduler.stop(),
    [Symbol.dispose]: () => scheduler.stop(),
  }
}

/** The parts that the processes of one virtual host share. */
interface World {
  readonly scheduler: Scheduler
  readonly network: VirtualNetwork
}

/** The parts of one process: its randomness, files, environment, signals and log. */
function virtualProcess(
  { scheduler, network }: World,
  options: VirtualHostOptions,
): Omit<Host, keyof ProcessEnd> & JournalFiles & Pick<VirtualHost, 'logged' | 'raise'> {
  const startMs = options.startTime ?? START_MS_DEFAULT
  const random = seededRandom(`${options.seed}/random`)
  const logged = new BoundedLines()
  const log = (line: string) => logged.push(line)
  const now = () => startMs + scheduler.nowMs
  const timers = virtualTimers(scheduler)
  const files = virtualFiles({ scheduler, now, files: options.files ?? {} })
  return {
    now,
    monotonicMs: () => scheduler.nowMs,
    ...timers,
    sleep: (ms, signal) => sleepWith(timers, ms, signal),
    randomBytes: (count) => random.randomBytes(count),
    random: () => random.random(),
    uuid: () => random.uuid(),
    request: (request) => network.request(request),
    isLossless: options.intercept === undefined,
    listen: (listen) => network.listen(listen, log),
    ...files,
    env: (name) => {
      const { env = { NODE_ENV: 'test' } } = options
      return Object.hasOwn(env, name) ? env[name] : undefined
    },
    ...virtualCommands(scheduler, options.commands ?? {}),
    ...virtualProcesses({ scheduler, programs: options.programs ?? {}, files }),
    ...virtualSignals(scheduler),
    log,
    usage: () => undefined,
    isTerminal: options.isTerminal ?? false,
    logged: logged.lines,
  }
}

function virtualTimers(scheduler: Scheduler): Pick<Host, 'setTimer'> {
  let count = 0
  return {
    setTimer: (delayMs, run) => {
      const waitMs = delayFrom(delayMs)
      count += 1
      const label = `timer ${count} after ${waitMs} ms`
      const queue = scheduler.after(waitMs, { kind: 'timer', label, run })
      return { cancel: () => queue.silence() }
    },
  }
}

function virtualSignals(scheduler: Scheduler): Pick<VirtualHost, 'onSignal' | 'raise'> {
  const subscriptions = new Set<{ readonly signal: Signal; readonly run: () => void }>()
  return {
    onSignal: (signal, run) => {
      const subscription = { signal, run }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    raise: (signal) => {
      const run = () => {
        for (const subscription of [...subscriptions]) {
          if (subscription.signal === signal) subscription.run()
        }
      }
      scheduler.soon({ label: `signal ${signal}`, run })
    },
  }
}

/** The end of the process is only recorded. */
function virtualEnd(
  scheduler: Scheduler,
): Pick<VirtualHost, 'exit' | 'onUncaught' | 'raiseUncaught' | 'exitCode'> {
  const subscriptions = new Set<{ readonly run: (error: unknown, kind: UncaughtKind) => void }>()
  let exitCode: number | undefined
  return {
    get exitCode() {
      return exitCode
    },
    exit: (code) => void (exitCode ??= code),
    onUncaught: (run) => {
      const subscription = { run }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    raiseUncaught: (error, kind) => {
      const run = () => {
        for (const subscription of [...subscriptions]) subscription.run(error, kind)
      }
      scheduler.soon({ label: `uncaught ${kind}`, run })
    },
  }
}
