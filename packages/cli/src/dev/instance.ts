import type { Timers } from 'setpoint/host'
import { startWorker, type Worker } from '../system/index.ts'
import type { LoadedOperator, Order, ShownError, Tiding } from './messages.ts'

/** What is heard of operators at work. */
interface InstanceListener {
  onRun(run: Extract<Tiding, { is: 'run' }>['run']): void
  /** A line they wrote: a record of the log, or whatever the author's code prints. */
  onLine(line: string): void
  /** They cannot go on, or ended although nobody had told them to. */
  onLost(error: ShownError): void
}

/** What came of loading the operators' module. */
type Loading = {
  /** The author's files that it consists of, as far as it got. */
  readonly urls: readonly string[]
} & ({ readonly operators: readonly LoadedOperator[] } | { readonly error: ShownError })

/** How long operators may take to finish what they are at, before they are ended. */
const stopMs = 25_000

/** After which time it is told that they have not finished yet. */
const tellMs = 3_000

/** One process with the operators of a project, as they are in their sources at the moment it starts. */
export class Instance {
  /** Resolves when the module is loaded, or could not be. */
  readonly loading: Promise<Loading>
  /** Resolves when they work; when they cannot, the listener is told. */
  readonly working: Promise<boolean>
  /** Why it ended although nobody had told it to. */
  lost: ShownError | undefined
  readonly #worker: Worker<Order, Tiding>
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
    this.#worker = startWorker<Order, Tiding>(words, {
      onLine: (line) => listener.onLine(line),
      onMessage: (tiding) => {
        if (tiding.is === 'run') listener.onRun(tiding.run)
        else if (tiding.is === 'working') onWorking(true)
        else if (!isLoaded) onLoaded(tiding)
        else if (tiding.is === 'failed') lose(tiding.error)
        isLoaded ||= tiding.is === 'loaded'
      },
    })
    void this.#worker.ended.then(({ code, signal }) => {
      const what = signal === null ? `ended with code ${code ?? 0}` : `was ended by ${signal}`
      const error = { message: `the process with the operators ${what}`, at: undefined }
      onLoaded({ error, urls: [] })
      if (isLoaded) lose(error)
    })
  }

  /** Lets them begin; to be called when those they replace have ended. */
  work(): void {
    this.#worker.send({ do: 'work' })
  }

  /** Lets them finish what they are at; tells when that takes long, and how long it may. */
  async stop(host: Timers, onWait: (text: string) => void): Promise<void> {
    this.#isStopped = true
    this.#worker.send({ do: 'stop' })
    const left = `${(stopMs - tellMs) / 1000} s`
    const timers = [
      host.setTimer(tellMs, () =>
        onWait(`the operators are still at work; they have ${left} left`),
      ),
      host.setTimer(stopMs, () => this.#worker.kill()),
    ]
    await this.#worker.ended
    for (const timer of timers) timer.cancel()
  }

  /** Ends them where they are: for those that nobody wants to see working any more. */
  kill(): void {
    this.#isStopped = true
    this.#worker.kill()
  }
}
