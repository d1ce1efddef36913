import { join, relative } from 'node:path'
import type { RunningOperators } from 'setpoint'
import { Client, type Connection, loadConnection } from 'setpoint/client'
import { accessCluster, agreeToWrites } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { findProject, operatorsFile } from '../project/index.ts'
import { findProgram } from '../system/index.ts'
import { DevCluster } from './dev-cluster.ts'
import { JsonView } from './json-view.ts'
import { lineOf } from './line-of.ts'
import { LiveView } from './live-view.ts'
import type { LoadedOperator } from './messages.ts'
import { nodesOption } from './nodes-option.ts'
import { PlainView } from './plain-view.ts'
import { Reloader } from './reloader.ts'
import { applyFiles, namedFiles, sampleFiles } from './samples.ts'
import type { DevEvent, ShownCluster, View } from './view.ts'
import { watchObjects } from './watch-objects.ts'

/** The hidden command that runs operators for us, in a process of their own. */
const workWord = 'work-for-dev'

/** Where operators are tried: a cluster of their own, or one that somebody named. */
interface Ground extends AsyncDisposable {
  readonly connection: Connection
  /** The words that make another process of ours find it. */
  readonly words: readonly string[]
  readonly shown: ShownCluster
}

/** `setpoint dev`: runs operators on a cluster while they are being written. */
export async function runDev(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const isAlone = input.has('cluster-only')
  const found = isAlone
    ? { project: await projectOrFolder(context), file: undefined }
    : await operatorsFile(context, input.arguments[0])
  await using ground = await groundOf(context, input, found.project.folder)
  const view = viewOf(context, input)
  try {
    view.tell({ is: 'cluster', cluster: ground.shown })
    const { file } = found
    const session = new DevSession(context, { ground, view, folder: found.project.folder, file })
    await session.run(input)
  } finally {
    view.close()
  }
  return exitCodes.ok
}

/** A cluster alone needs no project. */
async function projectOrFolder(context: CommandContext): Promise<{ readonly folder: string }> {
  try {
    return await findProject(context)
  } catch (error) {
    if (error instanceof CommandError) return { folder: context.folder }
    throw error
  }
}

async function groundOf(
  context: CommandContext,
  input: CommandInput,
  folder: string,
): Promise<Ground> {
  const { host } = context
  const kubeconfig = input.value('kubeconfig')
  if (kubeconfig !== undefined || input.value('context') !== undefined) {
    const access = await accessCluster(context, input)
    await agreeToWrites(context, input, { access, what: 'Run operators from these sources' })
    const words = ['kubeconfig', 'context'].flatMap((name) => {
      const value = input.value(name)
      return value === undefined ? [] : [`--${name}`, value]
    })
    return {
      connection: access.connection,
      words,
      shown: { title: access.title, kubeconfig: kubeconfig ?? '', commands: [] },
      [Symbol.asyncDispose]: async () => undefined,
    }
  }
  const dev = await DevCluster.start(host, {
    folder,
    isKept: input.has('persist'),
    port: portOf(input),
    nodes: await nodesOption(context, input),
  })
  const hasKubectl = (await findProgram(host, 'kubectl')) !== undefined
  return {
    connection: await loadConnection(host, { kubeconfig: dev.kubeconfig }),
    words: ['--kubeconfig', dev.kubeconfig],
    shown: {
      title: dev.cluster.url,
      kubeconfig: dev.kubeconfig,
      commands: [
        `export KUBECONFIG=${dev.kubeconfig}`,
        ...(hasKubectl
          ? []
          : ['kubectl is not installed: `npx setpoint kubectl get pods` works without']),
      ],
    },
    [Symbol.asyncDispose]: async () => dev[Symbol.asyncDispose](),
  }
}

function portOf(input: CommandInput): number | undefined {
  const text = input.value('port')
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`--port is ${text}, not a port`, { exitCode: exitCodes.usage })
}

function viewOf({ terminal, host }: CommandContext, input: CommandInput): View {
  if (input.has('json')) return new JsonView(terminal, host)
  if (terminal.isDrawable && !input.has('plain')) return new LiveView(terminal, host)
  return new PlainView(terminal, host)
}

/** One `setpoint dev`, from the moment its cluster is there. */
class DevSession {
  readonly #context: CommandContext
  readonly #ground: Ground
  readonly #view: View
  readonly #folder: string
  readonly #file: string | undefined
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
  }

  /** Works until a person, or a signal, ends it. */
  async run(input: CommandInput): Promise<void> {
    const { host, signal, terminal } = this.#context
    const quit = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const reloader = this.#file === undefined ? undefined : this.#reloader(this.#file)
    let onQuit: () => void = () => undefined
    const pressed = new Promise<void>((resolve) => {
      onQuit = resolve
    })
    const endKeys = terminal.onKey((key) => {
      if (key === 'q' || key === '\u0003') onQuit()
      if (key === 'r') reloader?.reload('the key r')
      if (key === 'a') void this.#applySamples()
    })
    try {
      await Promise.race([reloader?.start(), quit, pressed])
      const named = await namedFiles(host, this.#context.folder, input.values('apply'))
      if (named.length > 0) await this.#apply(named)
      if (input.has('samples')) await this.#applySamples()
      await Promise.race([quit, pressed])
      this.#view.tell({ is: 'stopping' })
    } finally {
      endKeys()
      await reloader?.stop()
      await (await this.#onlooker)?.stop()
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
          // Now their definitions are installed, and there is something to look at.
          void this.#look(loaded)
        },
        onFailed: (error, isOldWorking) => tell({ is: 'failed', error, isOldWorking }),
        onReload: (why) =>
          tell({ is: 'reload', why: why.startsWith('/') ? relative(folder, why) : why }),
        onRun: (run) => tell({ is: 'run', run }),
        onLine: (line) => {
          const shown = lineOf(line)
          if (shown !== undefined) tell({ is: 'line', line: shown })
        },
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
    await (await before)?.stop()
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
      const text = error instanceof Error ? error.message : String(error)
      this.#view.tell({ is: 'line', line: { level: 'error', text } })
    }
  }
}
