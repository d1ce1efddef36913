import { join, relative } from 'node:path'
import type { RunningOperators } from 'setpoint'
import { Client } from 'setpoint/client'
import type { CommandContext } from '../command/index.ts'
import type { Ground } from './ground.ts'
import { lineOf } from './line-of.ts'
import type { LoadedOperator } from './messages.ts'
import { Reloader } from './reloader.ts'
import { applyFiles, sampleFiles } from './samples.ts'
import type { DevEvent, View } from './view.ts'
import { watchObjects } from './watch-shown-objects.ts'

/** The hidden command that runs operators for us, in a process of their own. */
const workWord = 'work-for-dev'

/** One `setpoint dev`, from the moment its cluster is there. */
export class DevSession {
  readonly #context: CommandContext
  readonly #ground: Ground
  readonly #view: View
  readonly #folder: string
  readonly #file: string | undefined
  readonly #working: Promise<void>
  #onWorking: () => void = () => undefined
  #onlooker: Promise<RunningOperators> | undefined
  #watched = ''

  constructor(
    context: CommandContext,
    parts: {
      readonly ground: Ground
      readonly view: View
      readonly folder: string
      readonly file: string | undefined
    },
  ) {
    this.#context = context
    this.#ground = parts.ground
    this.#view = parts.view
    this.#folder = parts.folder
    this.#file = parts.file
    this.#working = new Promise((resolve) => {
      this.#onWorking = resolve
    })
  }

  /** Works until a person, or a signal, ends it. */
  async run(wanted: {
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
    })
    try {
      // Before the operators work for the first time, nobody knows the kinds of the samples.
      const started = reloader?.start().then(async () => this.#working)
      if ((await Promise.race([started, quit])) !== 'quit') {
        if (wanted.applied.length > 0) await this.#apply(wanted.applied)
        if (wanted.hasSamples) await this.#applySamples()
        await quit
      }
      this.#view.tell({ is: 'stopping' })
    } finally {
      endKeys()
      await reloader?.stop()
      await this.#stopLooking(this.#onlooker)
    }
  }

  #reloader(file: string): Reloader {
    const { host, folder } = this.#context
    const tell = (event: DevEvent): void => this.#view.tell(event)
    let loaded: readonly LoadedOperator[] = []
    return new Reloader(
      host,
      { file, folder: this.#folder, words: [workWord, file, ...this.#ground.words] },
      {
        onLoaded: (operators) => {
          loaded = operators
          tell({ is: 'loaded', operators })
        },
        onWorking: () => {
          tell({ is: 'working' })
          this.#onWorking()
          // Now their definitions are installed, and there is something to look at.
          void this.#look(loaded).catch((error: unknown) => this.#tellError(error))
        },
        onFailed: (error, isOldWorking) => tell({ is: 'failed', error, isOldWorking }),
        onReload: (why) =>
          tell({ is: 'reload', why: why.startsWith('/') ? relative(folder, why) : why }),
        onRun: (run) => tell({ is: 'run', run }),
        onLine: (line) => {
          const shown = lineOf(line)
          if (shown !== undefined) tell({ is: 'line', line: shown })
        },
        onWait: (text) => tell({ is: 'line', line: { level: 'warn', text } }),
      },
    )
  }

  /** Shows the objects of these operators, in place of those before. */
  async #look(operators: readonly LoadedOperator[]): Promise<void> {
    const names = operators.map(({ kind }) => `${kind.plural}.${kind.version}.${kind.group}`).join()
    if (names === this.#watched) return
    this.#watched = names
    const before = this.#onlooker
    const world = { host: this.#context.host, connection: this.#ground.connection }
    this.#onlooker = watchObjects(operators, world, (event) => this.#view.tell(event))
    await this.#stopLooking(before)
    await this.#onlooker
  }

  /** One that could not even begin has been told. */
  async #stopLooking(onlooker: Promise<RunningOperators> | undefined): Promise<void> {
    await (await onlooker?.catch(() => undefined))?.stop()
  }

  async #applySamples(): Promise<void> {
    const file = this.#file ?? join(this.#folder, 'src/operators.ts')
    const files = await sampleFiles(this.#context.host, { folder: this.#folder, file })
    if (files.length > 0) return this.#apply(files)
    const text = 'there are no samples: config/samples, samples and sample.yaml were looked for'
    this.#view.tell({ is: 'line', line: { level: 'warn', text } })
  }

  /** A sample that is refused is told; a person mends it and goes on. */
  async #apply(files: readonly string[]): Promise<void> {
    const { host } = this.#context
    const { connection } = this.#ground
    const world = { host, client: new Client(host, connection), namespace: connection.namespace }
    try {
      await applyFiles(world, files, (what) => this.#view.tell({ is: 'applied', what }))
    } catch (error) {
      this.#tellError(error)
    }
  }

  #tellError(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    this.#view.tell({ is: 'line', line: { level: 'error', text } })
  }
}
