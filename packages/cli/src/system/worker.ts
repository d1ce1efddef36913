import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Worker as Thread } from 'node:worker_threads'

/** How a worker that was started came to its end. */
interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** Another process of this command line, for code that must not be able to take the first one down. */
export interface Worker<Out, In> {
  send(message: Out): void
  /** Resolves when it is gone. */
  readonly ended: Promise<WorkerEnd>
  /** Ends it without asking. */
  kill(): void
  /** Type of what it sends; only for the compiler. */
  readonly hears?: In
}

/** What the starter of a worker is told. */
interface WorkerListener<In> {
  /** It sent a message. */
  onMessage(message: In): void
  /** It, or the code in it, wrote a line by itself. */
  onLine(line: string): void
}

/** Starts this command line again with other words, and talks with it. */
export function startWorker<Out, In>(
  words: readonly string[],
  listener: WorkerListener<In>,
): Worker<Out, In> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Out of the terminal's group, so that Ctrl-C reaches only the one who knows in which order to end.
    detached: true,
    env: { ...process.env, FORCE_COLOR: '0' },
  })
  // When we end without having waited for it, somebody was tired of waiting.
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
    // One that has just ended does not hear; `ended` tells about it.
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    ended,
    kill,
  }
}

/** The other end: how a worker talks with the process that started it. */
interface Starter<In> {
  send(message: In): void
}

/** In a worker: listens to its starter, and is told when that is gone. */
export function listenToStarter<Out, In>(listener: {
  onMessage(message: Out): void
  onGone(): void
}): Starter<In> {
  watchStarter()
  process.on('message', (message) => listener.onMessage(message as Out))
  process.once('disconnect', () => listener.onGone())
  return { send: (message) => void process.send?.(message) }
}

/** How long a worker may go on when its starter is gone. */
const aloneMs = 30_000

/**
 * Ends a worker that is alone and does not end by itself, because of code that waits for ever or never lets go. A thread
 * looks after it: code that never lets go keeps everything else in the process from being called.
 */
function watchStarter(): void {
  const look = `
    const { ppid } = process
    const timer = setInterval(() => {
      if (process.ppid === ppid) return
      clearInterval(timer)
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${aloneMs})
    }, 1000)`
  new Thread(look, { eval: true, execArgv: [] }).unref()
}
