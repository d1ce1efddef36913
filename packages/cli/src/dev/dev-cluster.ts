import { dirname, join } from 'node:path'
import { type Cluster, type ClusterOptions, createCluster } from '@setpoint/cluster'
import type { Host, Timer } from 'setpoint/host'
import { answeringServer, devFolder, kubeconfigName } from '../access/index.ts'
import { CommandError } from '../command/index.ts'
import { processId } from '../system/index.ts'

/** The file with the id of the process, next to the kubeconfig. */
const processName = 'pid'

/** The interval at which a changed state is saved. */
const saveMs = 2_000

/** Options of a cluster for development. */
interface DevClusterOptions {
  readonly port: number | undefined
  readonly nodes: ClusterOptions['nodes'] | undefined
  /** The project's folder. */
  readonly folder: string
  /** Save the state, and restore it on start. */
  readonly isPersistent: boolean
  /** Called when the state cannot be saved. */
  readonly report: (line: string) => void
}

/** The embedded cluster, with its kubeconfig and optionally its state in the project's folder. */
export class DevCluster implements AsyncDisposable {
  /** The path of the kubeconfig. */
  readonly kubeconfig: string
  readonly cluster: Cluster
  readonly #host: Host
  readonly #stateFile: string | undefined
  readonly #access: string
  readonly #report: (line: string) => void
  #timer: Timer | undefined
  #savedRevision = -1
  #lastFailure = ''

  private constructor(
    host: Host,
    cluster: Cluster,
    files: {
      readonly kubeconfig: string
      readonly access: string
      readonly state: string | undefined
      readonly report: (line: string) => void
    },
  ) {
    this.#host = host
    this.cluster = cluster
    this.kubeconfig = files.kubeconfig
    this.#stateFile = files.state
    this.#access = files.access
    this.#report = files.report
    if (this.#stateFile !== undefined) this.#saveLater()
  }

  /** Starts a cluster and writes its kubeconfig. */
  static async start(host: Host, options: DevClusterOptions): Promise<DevCluster> {
    const { folder, isPersistent, port, nodes, report } = options
    const own = join(folder, devFolder)
    const kubeconfig = join(own, kubeconfigName)
    await checkNotRunning(host, kubeconfig)
    await host.makeDirectory(own)
    // A project without a .gitignore must not commit credentials.
    await host.writeFile(join(own, '.gitignore'), '*\n')
    const state = isPersistent ? join(own, 'cluster.json') : undefined
    const snapshot = state === undefined ? undefined : await savedState(host, state)
    const cluster = await createCluster({
      host,
      ...(port === undefined ? {} : { port }),
      ...(nodes === undefined ? {} : { nodes }),
      ...(snapshot === undefined ? {} : { snapshot }),
    })
    const access = cluster.kubeconfig()
    await host.writeFile(join(own, processName), `${processId()}\n`)
    await host.writeFile(kubeconfig, access, { mode: 0o600 })
    return new DevCluster(host, cluster, { kubeconfig, access, state, report })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel()
    try {
      await this.#save()
    } finally {
      await this.#end()
    }
  }

  async #end(): Promise<void> {
    // Another `setpoint dev` that started at the same moment may have overwritten the file.
    if ((await textOf(this.#host, this.kubeconfig)) === this.#access) {
      await this.#host.remove(this.kubeconfig)
      await this.#host.remove(join(dirname(this.kubeconfig), processName))
    }
    await this.cluster.dispose()
  }

  #saveLater(): void {
    this.#timer = this.#host.setTimer(saveMs, () => {
      // A failed save is retried; the save on dispose throws.
      void this.#save()
        .then(
          () => this.#saveEnded(''),
          (error: unknown) => this.#saveEnded(errorLine(error)),
        )
        .finally(() => this.#saveLater())
    })
  }

  /** Reports a failure once, and again after it changed or was over. */
  #saveEnded(failure: string): void {
    if (failure !== '' && failure !== this.#lastFailure) {
      this.#report(
        `the state of the cluster is not saved: ${failure}. Changes since the last save are lost if this process ends now. It is tried again every ${saveMs / 1000} s`,
      )
    }
    this.#lastFailure = failure
  }

  async #save(): Promise<void> {
    if (this.#stateFile === undefined) return
    const snapshot = this.cluster.snapshot()
    if (snapshot.revision === this.#savedRevision) return
    // The user may have deleted the folder.
    await this.#host.makeDirectory(dirname(this.#stateFile))
    await this.#host.writeFile(this.#stateFile, JSON.stringify(snapshot), { mode: 0o600 })
    this.#savedRevision = snapshot.revision
  }
}

function errorLine(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function textOf(host: Host, path: string): Promise<string | undefined> {
  if ((await host.fileInfo(path)) === undefined) return undefined
  return new TextDecoder().decode(await host.readFile(path))
}

/**
 * Two clusters cannot share a kubeconfig and a state: the second one would take over the operators
 * of the first. The kubeconfig of a killed process is replaced, because no server answers.
 */
async function checkNotRunning(host: Host, path: string): Promise<void> {
  const server = await answeringServer(host, path)
  if (server === undefined) return
  const id = (await textOf(host, join(dirname(path), processName)))?.trim()
  const [named, stop] = id === undefined ? ['', ''] : [` as process ${id}`, `: kill ${id}`]
  throw new CommandError(`setpoint dev is already running in this project${named}, on ${server}`, {
    hint: `stop it first${stop}; or use its cluster: setpoint dev --kubeconfig ${path}`,
  })
}

async function savedState(host: Host, path: string): Promise<ClusterOptions['snapshot']> {
  const text = await textOf(host, path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as NonNullable<ClusterOptions['snapshot']>
  } catch (cause) {
    throw new CommandError(`the saved cluster state in ${path} is not valid JSON`, {
      cause,
      hint: 'delete the file to start with an empty cluster',
    })
  }
}
