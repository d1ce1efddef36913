import { testWorld } from '@setpoint/cluster'
import type { AnyOperator, InferResource } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { VirtualHost } from 'setpoint/host'
import { Event, Pod, ServiceAccount } from 'setpoint/kinds'

type PodStatus = NonNullable<Pod['status']>

/** Controllers on a server in virtual time. The test writes the status of the pods. */
export interface ControllerWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly client: Client
  /** The pods, sorted by name. */
  pods(): Promise<Pod[]>
  /**
   * `reason: message` of the Events about objects of a kind, in the order of their last update,
   * with the count of repeated ones.
   */
  events(kind: string): Promise<string[]>
  /** Writes the status of a pod, as its kubelet would. */
  move(pod: Pod, status: Partial<PodStatus>): Promise<void>
  /** The write requests since the last call. */
  writes(): string[]
}

export async function controllerWorld(...operators: AnyOperator[]): Promise<ControllerWorld> {
  const world = await testWorld({ operators, seed: 5, workloads: 'off' })
  const { host, client, cluster } = world
  await client.create(ServiceAccount, { metadata: { name: 'default' } })
  let seen = cluster.trace.length
  return {
    host,
    client,
    pods: async () => {
      const pods = await client.listAll(Pod, { namespace: 'default' })
      return pods.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    },
    events: async (kind) => {
      const events: InferResource<typeof Event>[] = await client.listAll(Event)
      return events
        .filter(({ involvedObject }) => involvedObject.kind === kind)
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason, message, count = 1 }) => `${reason}: ${message}${times(count)}`)
    },
    move: async (pod, status) => {
      await client.patch(Pod, pod.metadata, { merge: { status }, subresource: 'status' })
    },
    writes: () => {
      const fresh = cluster.trace.slice(seen)
      seen = cluster.trace.length
      return fresh
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, path }) => `${verb} ${path.replace(/^.*namespaces\/default\//, '')}`)
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

function times(count: number): string {
  return count === 1 ? '' : ` (x${count})`
}
