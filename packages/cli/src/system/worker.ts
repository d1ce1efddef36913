import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'

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
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: 1, signal: null }))
  })
  child.on('message', (message) => listener.onMessage(message as In))
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => listener.onLine(line))
  }
  return {
    // One that has just ended does not hear; `ended` tells about it.
    send: (message) => void (child.connected && child.send(message as object, () => undefined)),
    ended,
    kill: () => void child.kill('SIGKILL'),
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
  process.on('message', (message) => listener.onMessage(message as Out))
  process.once('disconnect', () => listener.onGone())
  return { send: (message) => void process.send?.(message) }
}
