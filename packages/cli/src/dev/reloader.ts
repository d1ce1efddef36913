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
  /** Something takes longer than a person expects. */
  onWait(text: string): void
}

/** Editors write a file in several steps; what they do within this time is one change. */
const gatherMs = 80

/** Loading takes a moment; what takes longer waits for something, perhaps for ever. */
const loadMs = 5_000

const slowText =
  'the module is still being loaded: does it wait for something? Save a file to try again'

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
  /** One that does not work yet. */
  #loading: Instance | undefined
  #gathering: Timer | undefined
  /** What is to be loaded as soon as the swap under way is over, and why. */
  #wanted: string | undefined
  #turn: Promise<void> | undefined
  /** Ends an instance that takes too long to load. */
  #giveUp: (() => void) | undefined
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
    this.#watchSources([])
    this.reload('')
    await this.#turn
  }

  /** Loads them anew, one time after the other; however often it is called meanwhile, once more is enough. */
  reload(why: string): void {
    this.#wanted = why
    this.#giveUp?.()
    if (!this.#isStopped) this.#turn ??= this.#swapAll()
  }

  /** Lets them finish and ends them. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#gathering?.cancel()
    this.#watch[Symbol.dispose]()
    this.#loading?.kill()
    await this.#turn
    await this.#stopCurrent()
  }

  #onChange(path: string): void {
    this.#gathering?.cancel()
    this.#gathering = this.#host.setTimer(gatherMs, () => this.reload(path))
  }

  async #swapAll(): Promise<void> {
    for (let why = this.#wanted; why !== undefined && !this.#isStopped; why = this.#wanted) {
      this.#wanted = undefined
      await this.#swap(why)
    }
    this.#turn = undefined
  }

  async #swap(why: string): Promise<void> {
    if (why !== '') this.#listener.onReload(why)
    const next = new Instance(this.#words, {
      onLine: (line) => this.#listener.onLine(line),
      onRun: (run) => this.#listener.onRun(run),
      onLost: (error) => this.#onLost(next, error),
    })
    const loading = await this.#loaded(next)
    // Ended by us: there is something newer, or nothing is wanted any more.
    if (loading === undefined) return
    this.#watchSources(loading.urls)
    if ('error' in loading) {
      this.#listener.onFailed(loading.error, this.#current !== undefined)
      return
    }
    this.#listener.onLoaded(loading.operators)
    this.#loading = next
    await this.#stopCurrent()
    this.#loading = undefined
    this.#current = next
    next.work()
    if (await next.working) this.#listener.onWorking()
    // It may have ended while it waited for its turn, when its loss concerned nobody yet.
    else if (next.lost !== undefined) this.#onLost(next, next.lost)
  }

  /** What came of loading; nothing when it was given up. */
  async #loaded(next: Instance): Promise<Awaited<Instance['loading']> | undefined> {
    const attempt = { isGivenUp: false }
    this.#loading = next
    const slow = this.#host.setTimer(loadMs, () => {
      this.#giveUp = () => {
        attempt.isGivenUp = true
        next.kill()
      }
      if (this.#wanted === undefined) this.#listener.onWait(slowText)
      else this.#giveUp()
    })
    const loading = await next.loading
    slow.cancel()
    this.#giveUp = undefined
    this.#loading = undefined
    return attempt.isGivenUp || this.#isStopped ? undefined : loading
  }

  async #stopCurrent(): Promise<void> {
    await this.#current?.stop(this.#host, (text) => this.#listener.onWait(text))
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
    for (const [folder, why] of this.#watch.set(this.#folders)) {
      this.#listener.onWait(`changes in ${folder} are not seen (${why}); load them with the key r`)
    }
  }
}
