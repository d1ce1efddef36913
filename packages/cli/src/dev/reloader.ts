import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Host, Timer } from 'setpoint/host'
import { FolderWatch } from '../system/index.ts'
import { Instance } from './instance.ts'
import type { EndedRun, LoadedOperator, ShownError } from './messages.ts'

/** What is told about the operators as their sources change. */
interface ReloadListener {
  /** New ones were loaded and are about to work. */
  onLoaded(operators: readonly LoadedOperator[]): void
  onWorking(): void
  /** The sources could not be loaded, or the operators could not start; `isOld` if those before still work. */
  onFailed(error: ShownError, isOld: boolean): void
  onReload(why: string): void
  onRun(run: EndedRun): void
  onLine(line: string): void
}

/** Editors write a file in several steps; what they do within this time is one change. */
const gatherMs = 80

/** What can change what operators do: their sources, and templates that they read. */
const matters = /\.(?:[cm]?[jt]sx?|json|ya?ml)$/

/**
 * Keeps the operators of a module at work while its sources change. New ones are loaded first; then the old ones
 * finish what they are at, and only then the new ones begin: no object is ever in two hands. What does not load
 * changes nothing.
 */
export class Reloader {
  readonly #host: Host
  readonly #words: readonly string[]
  readonly #file: string
  readonly #folder: string
  readonly #listener: ReloadListener
  readonly #watch: FolderWatch
  readonly #folders = new Set<string>()
  #current: Instance | undefined
  #gathering: Timer | undefined
  #turn: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(
    host: Host,
    source: { readonly file: string; readonly folder: string; readonly words: readonly string[] },
    listener: ReloadListener,
  ) {
    this.#host = host
    this.#words = source.words
    this.#file = source.file
    this.#folder = source.folder
    this.#listener = listener
    this.#watch = new FolderWatch((path) => {
      if (matters.test(path)) this.#onChange(path)
    })
  }

  /** Loads the operators and lets them work. */
  async start(): Promise<void> {
    this.reload('')
    await this.#turn
  }

  /** Loads them anew, one time after the other. */
  reload(why: string): void {
    this.#turn = this.#turn.then(async () => this.#swap(why))
  }

  /** Lets them finish and ends them. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#gathering?.cancel()
    this.#watch[Symbol.dispose]()
    await this.#turn
    await this.#current?.stop(this.#host)
  }

  #onChange(path: string): void {
    this.#gathering?.cancel()
    this.#gathering = this.#host.setTimer(gatherMs, () => this.reload(path))
  }

  async #swap(why: string): Promise<void> {
    if (this.#isStopped) return
    if (why !== '') this.#listener.onReload(why)
    const next = new Instance(this.#words, {
      onLine: (line) => this.#listener.onLine(line),
      onRun: (run) => this.#listener.onRun(run),
      onLost: (error) => this.#onLost(next, error),
    })
    const loading = await next.loading
    this.#watchSources(loading.urls)
    if ('error' in loading) {
      this.#listener.onFailed(loading.error, this.#current !== undefined)
      return
    }
    this.#listener.onLoaded(loading.operators)
    await this.#current?.stop(this.#host)
    this.#current = next
    next.work()
    if (await next.working) this.#listener.onWorking()
  }

  #onLost(instance: Instance, error: ShownError): void {
    if (instance !== this.#current) return
    this.#current = undefined
    this.#listener.onFailed(error, false)
  }

  /** A module that could not be loaded may have failed before all of its imports were seen: folders only add up. */
  #watchSources(urls: readonly string[]): void {
    this.#folders.add(dirname(this.#file))
    for (const url of urls) {
      if (!url.startsWith('file:')) continue
      const folder = dirname(fileURLToPath(url.replace(/\?.*$/, '')))
      // Packages do not change while somebody works; a project that lies in one does.
      if (!folder.replace(this.#folder, '').includes('node_modules')) this.#folders.add(folder)
    }
    this.#watch.set(this.#folders)
  }
}
