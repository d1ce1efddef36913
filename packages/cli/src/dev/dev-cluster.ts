import { dirname, join } from 'node:path'
import { type Cluster, type ClusterOptions, createCluster } from '@setpoint/cluster'
import type { Host } from 'setpoint/host'
import { answeringServer, devFolder, kubeconfigName } from '../access/index.ts'
import { CommandError } from '../command/index.ts'
import { processId } from '../system/index.ts'

/** The file with the id of the process, next to the kubeconfig. */
const processName = 'pid'

/** The folder with the state of a persistent cluster. */
const dataName = 'data'

/** Options of a cluster for development. */
interface DevClusterOptions {
  readonly port: number | undefined
  readonly nodes: ClusterOptions['nodes'] | undefined
  /** The project's folder. */
  readonly folder: string
  /** Keep the state, and continue from it on the next start. */
  readonly isPersistent: boolean
}

/** The embedded cluster, with its kubeconfig and optionally its state in the project's folder. */
export class DevCluster implements AsyncDisposable {
  /** The path of the kubeconfig. */
  readonly kubeconfig: string
  readonly cluster: Cluster
  readonly #host: Host
  readonly #access: string

  private constructor(
    host: Host,
    cluster: Cluster,
    files: { readonly kubeconfig: string; readonly access: string },
  ) {
    this.#host = host
    this.cluster = cluster
    this.kubeconfig = files.kubeconfig
    this.#access = files.access
  }

  /** Starts a cluster and writes its kubeconfig. */
  static async start(host: Host, options: DevClusterOptions): Promise<DevCluster> {
    const { folder, isPersistent, port, nodes } = options
    const own = join(folder, devFolder)
    const kubeconfig = join(own, kubeconfigName)
    await checkNotRunning(host, kubeconfig)
    await host.makeDirectory(own)
    // A project without a .gitignore must not commit credentials.
    await host.writeFile(join(own, '.gitignore'), '*\n')
    const cluster = await createCluster({
      host,
      ...(port === undefined ? {} : { port }),
      ...(nodes === undefined ? {} : { nodes }),
      ...(isPersistent ? { data: join(own, dataName) } : {}),
    })
    const access = cluster.kubeconfig()
    await host.writeFile(join(own, processName), `${processId()}\n`)
    await host.writeFile(kubeconfig, access, { mode: 0o600 })
    return new DevCluster(host, cluster, { kubeconfig, access })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Another `setpoint dev` that started at the same moment may have overwritten the file.
    if ((await textOf(this.#host, this.kubeconfig)) === this.#access) {
      await this.#host.remove(this.kubeconfig)
      await this.#host.remove(join(dirname(this.kubeconfig), processName))
    }
    await this.cluster.dispose()
  }
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
