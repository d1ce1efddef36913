import { join } from 'node:path'
import { type Cluster, type ClusterOptions, createCluster } from '@setpoint/cluster'
import type { Host, Timer } from 'setpoint/host'
import { CommandError } from '../command/index.ts'

/** Where `setpoint dev` keeps what belongs to it, in the project's folder. */
export const devFolder = '.setpoint'

/** The kubeconfig of a cluster that runs; `setpoint kubectl` looks for it. */
export const kubeconfigName = 'kubeconfig'

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
  #timer: Timer | undefined
  #savedRevision = -1

  private constructor(
    host: Host,
    cluster: Cluster,
    files: { readonly kubeconfig: string; readonly state: string | undefined },
  ) {
    this.#host = host
    this.cluster = cluster
    this.kubeconfig = files.kubeconfig
    this.#stateFile = files.state
    if (this.#stateFile !== undefined) this.#saveLater()
  }

  /** Starts a cluster and writes down how to reach it. */
  static async start(host: Host, options: DevClusterOptions): Promise<DevCluster> {
    const { folder, isKept, port, nodes } = options
    const own = join(folder, devFolder)
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
    const kubeconfig = join(own, kubeconfigName)
    await host.writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    return new DevCluster(host, cluster, { kubeconfig, state })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel()
    await this.#save()
    await this.#host.remove(this.kubeconfig)
    await this.cluster.dispose()
  }

  #saveLater(): void {
    this.#timer = this.#host.setTimer(saveMs, () => {
      void this.#save().finally(() => this.#saveLater())
    })
  }

  async #save(): Promise<void> {
    if (this.#stateFile === undefined) return
    const snapshot = this.cluster.snapshot()
    if (snapshot.revision === this.#savedRevision) return
    await this.#host.writeFile(this.#stateFile, JSON.stringify(snapshot), { mode: 0o600 })
    this.#savedRevision = snapshot.revision
  }
}

async function keptState(host: Host, path: string): Promise<ClusterOptions['snapshot']> {
  if ((await host.fileInfo(path)) === undefined) return undefined
  const text = new TextDecoder().decode(await host.readFile(path))
  try {
    return JSON.parse(text) as NonNullable<ClusterOptions['snapshot']>
  } catch (cause) {
    throw new CommandError(`the kept cluster in ${path} cannot be read`, {
      cause,
      hint: 'remove the file to begin with an empty cluster',
    })
  }
}
