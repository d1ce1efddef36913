import { join, relative } from 'node:path'
import type { RunningOperators } from 'setpoint'
import { Client } from 'setpoint/client'
import type { CommandContext } from '../command/index.ts'
import { sampleFiles } from '../project/index.ts'
import { shortMessage, TypeChecks } from '../typecheck/index.ts'
import { InstalledPolicies } from './admission/installed-policies.ts'
import { applyFiles } from './apply-files.ts'
import type { DevTarget } from './dev-target.ts'
import { formatLogLine } from './format-log-line.ts'
import type { LoadedOperator } from './messages.ts'
import { Reloader } from './reloader.ts'
import { objectDetails } from './screen/object-details.ts'
import type { DevEvent, View } from './view.ts'
import { Simulations } from './simulations.ts'
import { watchObjects } from './watch-shown-objects.ts'

/** The hidden command that runs the operators in another process. */
const workCommandName = 'work-for-dev'

/** One `setpoint dev`, after its cluster has started. */
export class DevSession {
  readonly #context: CommandContext
  readonly #target: DevTarget
  readonly #view: View
  readonly #folder: string
  readonly #file: string | undefined
  readonly #working: Promise<void>
  #onWorking: () => void = () => undefined
  #watcher: Promise<RunningOperators> | undefined
  #watched = ''
  readonly #types: TypeChecks | undefined
  #isSkipShown = false
  #loaded: readonly LoadedOperator[] = []
  readonly #policies: InstalledPolicies
  readonly #simulations: Simulations | undefined

  constructor(
    context: CommandContext,
    parts: {
      readonly target: DevTarget
      readonly view: View
      readonly folder: string
      readonly file: string | undefined
      /** Simulate the operators at the start and after each save. */
      readonly hasSimulations: boolean
    },
  ) {
    this.#context = context
    this.#target = parts.target
    this.#view = parts.view
    this.#folder = parts.folder
    this.#file = parts.file
    this.#policies = new InstalledPolicies(new Client(context.host, parts.target.connection))
    if (parts.file !== undefined && parts.hasSimulations) {
      this.#simulations = new Simulations(parts.file, (result) =>
        this.#view.show({ is: 'sim', result }),
      )
    }
    // JavaScript has no types to check.
    if (/\.[cm]?tsx?$/.test(parts.file ?? '')) this.#types = this.#typeChecks()
    this.#working = new Promise((resolve) => {
      this.#onWorking = resolve
    })
  }

  /** Runs until the user or a signal stops it. */
  async run(options: {
    readonly applied: readonly string[]
    readonly hasSamples: boolean
  }): Promise<void> {
    const { signal, terminal } = this.#context
    const reloader = this.#file === undefined ? undefined : this.#reloader(this.#file)
    let onQuit: () => void = () => undefined
    const quit = new Promise<'quit'>((resolve) => {
      onQuit = () => resolve('quit')
      if (signal.aborted) onQuit()
      signal.addEventListener('abort', onQuit, { once: true })
    })
    const endKeys = terminal.onKey((key) => {
      if (key === 'q') onQuit()
      if (key === 'r') reloader?.reload('the key r')
      if (key === 'a') void this.#applySamples()
      this.#view.press?.(key, async (object) => {
        const client = new Client(this.#context.host, this.#target.connection)
        return objectDetails(client, this.#loaded, object)
      })
    })
    try {
      // The CRDs of the samples are installed when the operators start for the first time.
      this.#checkTypes()
      const started = reloader?.start().then(async () => this.#working)
      if ((await Promise.race([started, quit])) !== 'quit') {
        if (options.applied.length > 0) await this.#apply(options.applied)
        if (options.hasSamples) await this.#applySamples()
        await quit
      }
      this.#view.show({ is: 'stopping' })
    } finally {
      endKeys()
      this.#types?.[Symbol.dispose]()
      this.#simulations?.[Symbol.dispose]()
      await reloader?.stop()
      await this.#policies.removeAll()
      await this.#stopWatcher(this.#watcher)
    }
  }

  /** Type errors do not stop the operators: the sources may be right in the next minute. */
  #typeChecks(): TypeChecks {
    return new TypeChecks(this.#context.host, { folder: this.#folder }, (result) => {
      if (result.is === 'checked') {
        const errors = result.errors.map((error) => ({ ...error, message: shortMessage(error) }))
        this.#view.show({ is: 'types', errors })
      } else if (result.is === 'skipped' && !this.#isSkipShown) {
        this.#isSkipShown = true
        const text = `types are not checked: ${result.why}`
        this.#view.show({ is: 'line', line: { level: 'info', text } })
      }
    })
  }

  #checkTypes(): void {
    void this.#types?.check().catch((error: unknown) => this.#showError(error))
  }

  #reloader(file: string): Reloader {
    const { host, folder } = this.#context
    const show = (event: DevEvent): void => this.#view.show(event)
    return new Reloader(
      host,
      { file, folder: this.#folder, words: [workCommandName, file, ...this.#target.options] },
      {
        onLoaded: (operators) => {
          this.#loaded = operators
          this.#policies.add(operators)
          show({ is: 'loaded', operators })
        },
        onWorking: () => {
          show({ is: 'working' })
          this.#onWorking()
          this.#simulations?.start()
          // Their CRDs are installed now, so their objects can be watched.
          void this.#watch(this.#loaded).catch((error: unknown) => this.#showError(error))
          void this.#policies.removeOutdated().catch((error: unknown) => this.#showError(error))
        },
        onFailed: (error, isOldWorking) => show({ is: 'failed', error, isOldWorking }),
        onReload: (why) => {
          this.#checkTypes()
          this.#simulations?.stop()
          show({ is: 'reload', why: why.startsWith('/') ? relative(folder, why) : why })
        },
        onRun: (run) => show({ is: 'run', run }),
        onLine: (line) => {
          const shown = formatLogLine(line)
          if (shown !== undefined) show({ is: 'line', line: shown })
        },
        onWait: (text) => show({ is: 'line', line: { level: 'warn', text } }),
      },
    )
  }

  /** Shows the objects of the reloaded operators. */
  async #watch(operators: readonly LoadedOperator[]): Promise<void> {
    const names = operators.map(({ kind }) => `${kind.plural}.${kind.version}.${kind.group}`).join()
    if (names === this.#watched) return
    this.#watched = names
    const before = this.#watcher
    const world = { host: this.#context.host, connection: this.#target.connection }
    this.#watcher = watchObjects(operators, world, (event) => this.#view.show(event))
    await this.#stopWatcher(before)
    await this.#watcher
  }

  /** The error of a watcher that did not start has been shown already. */
  async #stopWatcher(watcher: Promise<RunningOperators> | undefined): Promise<void> {
    await (await watcher?.catch(() => undefined))?.stop()
  }

  async #applySamples(): Promise<void> {
    const file = this.#file ?? join(this.#folder, 'src/operators.ts')
    const files = await sampleFiles(this.#context.host, { folder: this.#folder, file })
    if (files.length > 0) return this.#apply(files)
    const text = 'no samples found in config/samples, samples and sample.yaml'
    this.#view.show({ is: 'line', line: { level: 'warn', text } })
  }

  /** Shows the error of a refused sample and continues: the user can fix it and apply it again. */
  async #apply(files: readonly string[]): Promise<void> {
    const { host } = this.#context
    const { connection } = this.#target
    const world = { host, client: new Client(host, connection), namespace: connection.namespace }
    try {
      await applyFiles(world, files, (what) => this.#view.show({ is: 'applied', what }))
    } catch (error) {
      this.#showError(error)
    }
  }

  #showError(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    this.#view.show({ is: 'line', line: { level: 'error', text } })
  }
}
