import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Worker as Thread } from 'node:worker_threads'

/** How a worker ended. */
interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** Another process of this command line, for code whose crash must not end this process. */
export interface Worker<Out, In> {
  send(message: Out): void
  /** Resolves when the process has ended. */
  readonly ended: Promise<WorkerEnd>
  /** Kills it immediately. */
  kill(): void
  /** The type of its messages; only for the compiler. */
  readonly '~message'?: In
}

/** Receives the messages and the output of a worker. */
interface WorkerListener<In> {
  /** It sent a message. */
  onMessage(message: In): void
  /** It wrote a line to its standard output or error. */
  onLine(line: string): void
}

/** Starts this command line again with other arguments, and exchanges messages with it. */
export function startWorker<Out, In>(
  words: readonly string[],
  listener: WorkerListener<In>,
): Worker<Out, In> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Not in the terminal's process group, so that Ctrl-C reaches only this process.
    detached: true,
    env: { ...process.env, FORCE_COLOR: '0' },
  })
  // The worker must not outlive this process.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 1, signal: null }))
  }).finally(() => process.off('exit', kill))
  child.on('message', (message) => listener.onMessage(message as In))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => listener.onLine(line))
  }
  return {
    // Messages to an ended worker are dropped; `ended` reports its end.
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    ended,
    kill,
  }
}

/** The process that started this worker. */
interface Starter<In> {
  send(message: In): void
}

/** In a worker: receives the messages of its starter, and notices its end. */
export function listenToStarter<Out, In>(listener: {
  onMessage(message: Out): void
  onGone(): void
}): Starter<In> {
  watchStarter()
  process.on('message', (message) => listener.onMessage(message as Out))
  process.once('disconnect', () => listener.onGone())
  return { send: (message) => void process.send?.(message) }
}

/** How long a worker may run after its starter has ended. */
const orphanMs = 30_000

/**
 * Kills a worker whose starter has ended, when it does not end by itself: its code may wait forever
 * or block the event loop. It runs in a thread, which a blocked event loop does not stop.
 */
function watchStarter(): void {
  const script = `
    const { ppid } = process
    const timer = setInterval(() => {
      if (process.ppid === ppid) return
      clearInterval(timer)
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${orphanMs})
    }, 1000)`
  new Thread(script, { eval: true, execArgv: [] }).unref()
}
