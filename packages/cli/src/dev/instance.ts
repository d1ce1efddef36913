import type { Timers } from 'setpoint/host'
import { startWorker, type Worker } from '../system/index.ts'
import type { LoadedOperator, StarterMessage, ShownError, WorkerMessage } from './messages.ts'

/** Receives the events of a process with operators. */
interface InstanceListener {
  onRun(run: Extract<WorkerMessage, { is: 'run' }>['run']): void
  /** A line of output: a log record, or output of the author's code. */
  onLine(line: string): void
  /** The operators failed to start, or the process ended unexpectedly. */
  onLost(error: ShownError): void
}

/** The result of loading the operators' module. */
type Loading = {
  /** The files of the module that were loaded, even when loading failed. */
  readonly urls: readonly string[]
} & ({ readonly operators: readonly LoadedOperator[] } | { readonly error: ShownError })

/** How long the operators may take to finish their reconciles, before the process is killed. */
const stopMs = 25_000

/** After this time the user is notified that the operators are still stopping. */
const noticeMs = 3_000

/** One process with the operators of a project, loaded from their sources when it starts. */
export class Instance {
  /** Resolves when the module was loaded, or failed to load. */
  readonly loading: Promise<Loading>
  /** Resolves with true when the operators run, and with false when they fail to start. */
  readonly working: Promise<boolean>
  /** The error by which the process ended unexpectedly. */
  lost: ShownError | undefined
  readonly #worker: Worker<StarterMessage, WorkerMessage>
  #isStopped = false

  constructor(words: readonly string[], listener: InstanceListener) {
    let onLoaded: (loading: Loading) => void = () => undefined
    let onWorking: (isWorking: boolean) => void = () => undefined
    let isLoaded = false
    this.loading = new Promise((resolve) => {
      onLoaded = resolve
    })
    this.working = new Promise((resolve) => {
      onWorking = resolve
    })
    const lose = (error: ShownError): void => {
      if (!this.#isStopped) this.lost = error
      onWorking(false)
      if (!this.#isStopped) listener.onLost(error)
      this.#isStopped = true
    }
    this.#worker = startWorker<StarterMessage, WorkerMessage>(words, {
      onLine: (line) => listener.onLine(line),
      onMessage: (message) => {
        if (message.is === 'run') listener.onRun(message.run)
        else if (message.is === 'working') onWorking(true)
        else if (!isLoaded) onLoaded(message)
        else if (message.is === 'failed') lose(message.error)
        isLoaded ||= message.is === 'loaded'
      },
    })
    void this.#worker.ended.then(({ code, signal }) => {
      const what = signal === null ? `exited with code ${code ?? 0}` : `was killed by ${signal}`
      const error = { message: `the process with the operators ${what}`, at: undefined }
      onLoaded({ error, urls: [] })
      if (isLoaded) lose(error)
    })
  }

  /** Starts the operators. Call it after the process that they replace has ended. */
  work(): void {
    this.#worker.send({ do: 'work' })
  }

  /** Stops the operators after their current reconciles; calls `onWait` when that takes long. */
  async stop(host: Timers, onWait: (text: string) => void): Promise<void> {
    this.#isStopped = true
    this.#worker.send({ do: 'stop' })
    const left = `${(stopMs - noticeMs) / 1000} s`
    const timers = [
      host.setTimer(noticeMs, () =>
        onWait(`the operators are still finishing their reconciles; they are killed in ${left}`),
      ),
      host.setTimer(stopMs, () => this.#worker.kill()),
    ]
    await this.#worker.ended
    for (const timer of timers) timer.cancel()
  }

  /** Kills the process immediately, for a process that is not needed any more. */
  kill(): void {
    this.#isStopped = true
    this.#worker.kill()
  }
}
