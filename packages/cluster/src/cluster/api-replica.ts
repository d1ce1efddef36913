import type { Host, ListenOptions } from 'setpoint/host'
import { apiHandler } from '../api/index.ts'
import { type ApiReplica, FaultInjection, Faults } from '../faults/index.ts'

/** How the API servers of a cluster listen. */
export interface ListeningOptions {
  readonly handlerOptions: Parameters<typeof apiHandler>[0]
  readonly listenOptions: Omit<ListenOptions, 'handle' | 'port'>
}

interface ReplicaContext extends ListeningOptions {
  readonly host: Host
  /** The replicas that run. */
  readonly replicas: Set<ApiReplica>
  readonly kubeconfigFor: (url: string) => string
}

/** Starts further API servers over the storage of a cluster. */
export function replicaStarter(context: ReplicaContext): () => Promise<ApiReplica> {
  const { host, replicas, handlerOptions, listenOptions, kubeconfigFor } = context
  const startReplica = async (): Promise<ApiReplica> => {
    const { store } = handlerOptions.server
    const injection = new FaultInjection({ host, store })
    const server = { ...handlerOptions.server, faults: injection }
    const handle = apiHandler({ ...handlerOptions, server })
    const listening = await host.listen({ ...listenOptions, handle })
    const dispose = async (): Promise<void> => {
      replicas.delete(replica)
      await listening.close({ graceMs: 0 })
    }
    const replica: ApiReplica = {
      url: listening.url,
      port: listening.port,
      kubeconfig: () => kubeconfigFor(listening.url),
      faults: new Faults(injection, startReplica),
      dispose,
      [Symbol.asyncDispose]: dispose,
    }
    replicas.add(replica)
    return replica
  }
  return startReplica
}
