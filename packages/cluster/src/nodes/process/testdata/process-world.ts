import { createCluster, type Cluster, type ProcessImages } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig, type LogOptions } from 'setpoint/client'
import { type VirtualHost, virtualHost, type VirtualProgram } from 'setpoint/host'
import { Event, Pod, type PodSpec } from 'setpoint/kinds'

/** A cluster in virtual time whose pods are virtual programs. */
interface ProcessWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  /** Creates a pod with one container `app` of the image `app`, unless `spec` says otherwise. */
  create(name: string, spec?: Partial<PodSpec>): Promise<void>
  pod(name: string): Promise<Pod>
  /** `Running Ready app=running/1`, with the number of restarts. */
  text(name: string): Promise<string>
  /** `reason: message` of the Events about a pod. */
  events(name: string): Promise<string[]>
  log(name: string, options?: LogOptions): Promise<string[]>
}

const image = { command: 'app' }

/** Starts a world with programs by name; the image `app` is the program `app`. */
export async function processWorld(
  programs: Readonly<Record<string, VirtualProgram>>,
  images: ProcessImages = { app: image },
): Promise<ProcessWorld> {
  const host = virtualHost({ seed: 3, programs, env: { PATH: '/bin', SECRET: 'of the cluster' } })
  const cluster = await createCluster({ host, nodes: { process: { images } } })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection)
  await cluster.settle()
  const pod = async (name: string): Promise<Pod> => client.get(Pod, name)
  return {
    host,
    cluster,
    client,
    pod,
    create: async (name, spec = {}) => {
      const containers = [{ name: 'app', image: 'app' }]
      await client.create(Pod, { metadata: { name }, spec: { containers, ...spec } })
      await cluster.settle()
    },
    text: async (name) => textOf(await pod(name)),
    events: async (name) => {
      const events = await client.listAll(Event)
      return events
        .filter(({ involvedObject }) => involvedObject.name === name)
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason, message }) => `${reason}: ${message}`)
    },
    log: async (name, options = {}) => {
      const lines: string[] = []
      for await (const line of client.logs(name, options)) lines.push(line)
      return lines
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

function textOf({ status = {} }: Pod): string {
  const { phase, conditions = [], initContainerStatuses = [], containerStatuses = [] } = status
  const isReady = conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')
  return [
    `${phase}${isReady ? ' Ready' : ''}`,
    ...[...initContainerStatuses, ...containerStatuses].map(({ name, state, restartCount }) => {
      const { running, waiting, terminated } = state ?? {}
      const what = running ? 'running' : (waiting?.reason ?? `exit ${terminated?.exitCode}`)
      return `${name}=${what}/${restartCount}`
    }),
  ].join(' ')
}
