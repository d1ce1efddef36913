import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Host, Timer } from 'setpoint/host'
import { FolderWatch } from '../system/index.ts'
import { Instance } from './instance.ts'
import type { EndedRun, LoadedOperator, ShownError } from './messages.ts'

/** Receives the events of the operators and their reloads. */
interface ReloadListener {
  /** New operators were loaded and are about to start. */
  onLoaded(operators: readonly LoadedOperator[]): void
  onWorking(): void
  /** The sources failed to load, or the operators failed to start. */
  onFailed(error: ShownError, isOldWorking: boolean): void
  onReload(why: string): void
  onRun(run: EndedRun): void
  onLine(line: string): void
  /** Called when something takes long. */
  onWait(text: string): void
}

/** Editors write a file in several steps; writes within this time are one change. */
const gatherMs = 80

/** A module that takes longer to load probably awaits something, perhaps forever. */
const loadMs = 5_000

const slowText =
  'the module is still loading: does it have a top-level await? Save a file to try again'

/** Files whose change causes a reload: sources, and templates that operators read. */
const reloadedFiles = /\.(?:[cm]?[jt]sx?|json|ya?ml)$/

/**
 * Runs the operators of a module and reloads them when its sources change. The new operators are
 * loaded first, then the old ones finish their reconciles, and only then the new ones start: old
 * and new operators never reconcile at the same time. When loading fails, the old operators keep
 * running.
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
  /** The instance that is being loaded, or waits for the old one to stop. */
  #loading: Instance | undefined
  #gathering: Timer | undefined
  /** The reason of the next reload, after the current one. */
  #pendingReason: string | undefined
  #reloading: Promise<void> | undefined
  /** Kills an instance that takes too long to load. */
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
      if (reloadedFiles.test(path)) this.#onChange(path)
    })
  }

  /** Loads the operators and starts them. */
  async start(): Promise<void> {
    this.#watchSources([])
    this.reload('')
    await this.#reloading
  }

  /** Reloads the operators; calls during a reload cause one more reload after it. */
  reload(why: string): void {
    this.#pendingReason = why
    this.#giveUp?.()
    if (!this.#isStopped) this.#reloading ??= this.#swapAll()
  }

  /** Stops the operators after their current reconciles. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#gathering?.cancel()
    this.#watch[Symbol.dispose]()
    this.#loading?.kill()
    await this.#reloading
    await this.#stopCurrent()
  }

  #onChange(path: string): void {
    this.#gathering?.cancel()
    this.#gathering = this.#host.setTimer(gatherMs, () => this.reload(path))
  }

  async #swapAll(): Promise<void> {
    for (
      let why = this.#pendingReason;
      why !== undefined && !this.#isStopped;
      why = this.#pendingReason
    ) {
      this.#pendingReason = undefined
      await this.#swap(why)
    }
    this.#reloading = undefined
  }

  async #swap(why: string): Promise<void> {
    if (why !== '') this.#listener.onReload(why)
    const next = new Instance(this.#words, {
      onLine: (line) => this.#listener.onLine(line),
      onRun: (run) => this.#listener.onRun(run),
      onLost: (error) => this.#onLost(next, error),
    })
    const loading = await this.#waitForLoading(next)
    // Killed by us: the sources changed again, or the reloader was stopped.
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
    // It may have ended while it waited for the old one, when `onLost` ignored it.
    else if (next.lost !== undefined) this.#onLost(next, next.lost)
  }

  /** The result of loading; undefined when loading was given up. */
  async #waitForLoading(next: Instance): Promise<Awaited<Instance['loading']> | undefined> {
    const attempt = { isGivenUp: false }
    this.#loading = next
    const slow = this.#host.setTimer(loadMs, () => {
      this.#giveUp = () => {
        attempt.isGivenUp = true
        next.kill()
      }
      if (this.#pendingReason === undefined) this.#listener.onWait(slowText)
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

  /**
   * A module that failed to load might not have reported all of its imports, so watched folders are
   * only added, never removed.
   */
  #watchSources(urls: readonly string[]): void {
    this.#folders.add(dirname(this.#file))
    for (const url of urls) {
      if (!url.startsWith('file:')) continue
      const folder = dirname(fileURLToPath(url.replace(/\?.*$/, '')))
      // Packages are not watched; a project below a node_modules folder is.
      if (!folder.replace(this.#folder, '').includes('node_modules')) this.#folders.add(folder)
    }
    for (const [folder, why] of this.#watch.set(this.#folders)) {
      this.#listener.onWait(
        `cannot watch ${folder} (${why}); press r to reload after changes there`,
      )
    }
  }
}
