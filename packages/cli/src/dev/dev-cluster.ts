import { dirname, join } from 'node:path'
import { type Cluster, type ClusterOptions, createCluster } from '@setpoint/cluster'
import { isSetpointError } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import type { Host, Timer } from 'setpoint/host'
import { CommandError } from '../command/index.ts'

/** Where `setpoint dev` keeps what belongs to it, in the project's folder. */
export const devFolder = '.setpoint'

/** The kubeconfig of a cluster that runs; `setpoint kubectl` looks for it. */
export const kubeconfigName = 'kubeconfig'

/** How long another cluster on this machine may take to answer. */
const answerMs = 2_000

/** How often the state is written down while something changes. */
const saveMs = 2_000

/** How a cluster for development is wanted. */
interface DevClusterOptions {
  readonly port: number | undefined
  readonly nodes: ClusterOptions['nodes'] | undefined
  /** The project's folder. */
  readonly folder: string
  /** Keep the state, and begin with what was kept. */
  readonly isKept: boolean
}

/** The embedded cluster with its kubeconfig in the project's folder, and its state too if that is wanted. */
export class DevCluster implements AsyncDisposable {
  /** The path of the kubeconfig. */
  readonly kubeconfig: string
  readonly cluster: Cluster
  readonly #host: Host
  readonly #stateFile: string | undefined
  readonly #access: string
  #timer: Timer | undefined
  #savedRevision = -1

  private constructor(
    host: Host,
    cluster: Cluster,
    files: {
      readonly kubeconfig: string
      readonly access: string
      readonly state: string | undefined
    },
  ) {
    this.#host = host
    this.cluster = cluster
    this.kubeconfig = files.kubeconfig
    this.#stateFile = files.state
    this.#access = files.access
    if (this.#stateFile !== undefined) this.#saveLater()
  }

  /** Starts a cluster and writes down how to reach it. */
  static async start(host: Host, options: DevClusterOptions): Promise<DevCluster> {
    const { folder, isKept, port, nodes } = options
    const own = join(folder, devFolder)
    const kubeconfig = join(own, kubeconfigName)
    await checkIsAlone(host, kubeconfig)
    await host.makeDirectory(own)
    // A project that ignores nothing yet must not commit credentials.
    await host.writeFile(join(own, '.gitignore'), '*\n')
    const state = isKept ? join(own, 'cluster.json') : undefined
    const snapshot = state === undefined ? undefined : await keptState(host, state)
    const cluster = await createCluster({
      host,
      ...(port === undefined ? {} : { port }),
      ...(nodes === undefined ? {} : { nodes }),
      ...(snapshot === undefined ? {} : { snapshot }),
    })
    const access = cluster.kubeconfig()
    await host.writeFile(kubeconfig, access, { mode: 0o600 })
    return new DevCluster(host, cluster, { kubeconfig, access, state })
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
    // Two that began at the same moment share the file; it belongs to the later one.
    if ((await textOf(this.#host, this.kubeconfig)) === this.#access) {
      await this.#host.remove(this.kubeconfig)
    }
    await this.cluster.dispose()
  }

  #saveLater(): void {
    this.#timer = this.#host.setTimer(saveMs, () => {
      // One that fails is tried again; the last one tells.
      void this.#save()
        .catch(() => undefined)
        .finally(() => this.#saveLater())
    })
  }

  async #save(): Promise<void> {
    if (this.#stateFile === undefined) return
    const snapshot = this.cluster.snapshot()
    if (snapshot.revision === this.#savedRevision) return
    // Somebody may have tidied up.
    await this.#host.makeDirectory(dirname(this.#stateFile))
    await this.#host.writeFile(this.#stateFile, JSON.stringify(snapshot), { mode: 0o600 })
    this.#savedRevision = snapshot.revision
  }
}

async function textOf(host: Host, path: string): Promise<string | undefined> {
  if ((await host.fileInfo(path)) === undefined) return undefined
  return new TextDecoder().decode(await host.readFile(path))
}

/**
 * Two clusters cannot share a kubeconfig and a state: the second one would take the operators of the first. A file that
 * was left behind by a process that was killed leads to nothing, and is replaced.
 */
async function checkIsAlone(host: Host, path: string): Promise<void> {
  const text = await textOf(host, path)
  if (text === undefined) return
  let server = ''
  try {
    const connection = await connectionFromKubeconfig(host, text)
    server = connection.server
    const { transport } = new Client(host, connection)
    await transport.text({ method: 'GET', path: '/version', what: 'version', timeout: answerMs })
  } catch (error) {
    if (isSetpointError(error)) return
    throw error
  }
  throw new CommandError(`setpoint dev runs in this project already, on ${server}`, {
    hint: `end it first, or use its cluster: setpoint dev --kubeconfig ${path}`,
  })
}

async function keptState(host: Host, path: string): Promise<ClusterOptions['snapshot']> {
  const text = await textOf(host, path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as NonNullable<ClusterOptions['snapshot']>
  } catch (cause) {
    throw new CommandError(`the kept cluster in ${path} cannot be read`, {
      cause,
      hint: 'remove the file to begin with an empty cluster',
    })
  }
}
