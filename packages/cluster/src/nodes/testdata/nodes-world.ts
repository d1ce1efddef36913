import { type Cluster, createCluster } from '@setpoint/cluster'
import { start, type RunningOperators } from 'setpoint'
import { connectionFromKubeconfig, type Client } from 'setpoint/client'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { Event, Pod, ServiceAccount } from 'setpoint/kinds'
import { PodBehaviours } from '../behaviour/index.ts'
import {
  nodeController,
  nodeOperators,
  type NodesOption,
  registerNodes,
  simulatedNodes,
} from '../index.ts'

type PodManifest = Omit<Partial<Pod>, 'metadata'> & { metadata: Partial<Pod['metadata']> }

/** A server with nodes in virtual time, without the workload controllers. */
export interface NodesWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly pods: PodBehaviours
  /** Creates a pod with one container `app` of the image `nginx`, unless `more` says otherwise. */
  create(name: string, more?: PodManifest): Promise<void>
  pod(name: string): Promise<Pod>
  /**
   * `reason: message` of the Events about an object, in their order, with the count of repeated
   * ones.
   */
  events(name: string): Promise<string[]>
  /** The write requests since the last call, without Events. */
  writes(): string[]
  /** Stops and starts the kubelets and the scheduler. */
  restart(): Promise<void>
}

export async function nodesWorld(option: NodesOption = 2): Promise<NodesWorld> {
  const host = virtualHost({ seed: 7 })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const nodes = simulatedNodes(option)
  const pods = new PodBehaviours()
  const begin = async (): Promise<RunningOperators> => {
    const { scheduler, agent, kubelet } = nodeOperators(nodes, pods)
    return start([scheduler, agent, kubelet, nodeController()], {
      host,
      connection,
      logLevel: 'error',
    })
  }
  let running = await start([], { host, connection })
  const { client } = running
  await client.create(ServiceAccount, { metadata: { name: 'default' } })
  await registerNodes(client, nodes, host.now())
  running = await begin()
  await host.settle()
  let seen = cluster.trace.length
  return {
    host,
    cluster,
    client,
    pods,
    create: async (name, { metadata, ...more } = { metadata: {} }) => {
      const containers = [{ name: 'app', image: 'nginx' }]
      const manifest = { metadata: { ...metadata, name }, spec: { containers }, ...more }
      await client.create(Pod, manifest as never)
      await host.settle()
    },
    pod: async (name) => client.get(Pod, name),
    events: async (name) => {
      const events = await client.listAll(Event)
      return events
        .filter(({ involvedObject }) => involvedObject.name === name)
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason, message, count }) => {
          const times = (count ?? 1) > 1 ? ` (x${count})` : ''
          return `${reason}: ${message}${times}`
        })
    },
    writes: () => {
      const fresh = cluster.trace.slice(seen)
      seen = cluster.trace.length
      return fresh
        .filter(
          ({ verb, path }) => !['get', 'list', 'watch'].includes(verb) && !/events/.test(path),
        )
        .map(({ verb, path }) => `${verb} ${path.replace(/^.*\/v1\/(namespaces\/default\/)?/, '')}`)
    },
    restart: async () => {
      await running.stop()
      running = await begin()
      await host.settle()
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}
