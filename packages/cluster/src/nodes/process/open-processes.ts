import { isSetpointError, SetpointError, type AnyOperator } from 'setpoint'
import type { Host, HttpServer, Sockets } from 'setpoint/host'
import { nodeAgent } from '../node-agent.ts'
import { type SimulatedNode, simulatedNodes } from '../node-options.ts'
import { scheduler } from '../scheduler/index.ts'
import { ProcessDirectories } from './process-directories.ts'
import { type ProcessApi, processKubelet } from './process-kubelet.ts'
import type { ProcessNodes } from './process-options.ts'
import { ProcessPods } from './process-pods.ts'
import { type ProcessRuntime, processRuntime } from './process-runtime.ts'
import { ServiceForwarder } from './service-forwarder.ts'
import { volumeDirectories } from './volume-directories.ts'

/** The nodes of a cluster that run processes. */
export interface OpenProcesses {
  readonly nodes: readonly SimulatedNode[]
  /** Where services have to get their addresses, to be reachable. */
  readonly serviceRange: string
  /** What the API asks for logs and commands. */
  readonly runtime: ProcessRuntime
  /** The scheduler, the kubelets, and what else such nodes need. */
  operators(api: ProcessApi): AnyOperator[]
  /** Ends all processes and removes what they left. */
  close(): Promise<void>
}

/** The second bytes of networks in 127.0.0.0/8 that clusters use: an even one for pods, the next for services. */
const networks = { first: 64, last: 250 }
const kubeletPort = 10_250

const heartbeatMs = 10_000

/**
 * Prepares nodes that run processes: a directory that goes with this process, and a network of loopback addresses that
 * no other cluster on this machine has.
 */
export async function openProcesses(
  host: Host,
  { process, ...options }: ProcessNodes,
  sockets: Sockets,
): Promise<OpenProcesses> {
  const { claim, network } = await claimNetwork(host)
  const directory = await host.temporaryDirectory()
  const directories = new ProcessDirectories(host, directory.path)
  const pods = new ProcessPods({ host, sockets, directories, images: process.images })
  const forwarder = new ServiceForwarder(sockets, `127.${network + 1}.`)
  const nodes = simulatedNodes({ count: 1, ...options }).map((node) => ({
    ...node,
    hostIP: `127.${network}.255.${node.index + 1}`,
    podCIDR: `127.${network}.${node.index}.0/24`,
  }))
  return {
    nodes,
    serviceRange: `127.${network + 1}.0.0/16`,
    runtime: processRuntime(host, pods),
    operators: (api) => [
      scheduler(),
      nodeAgent(nodes, heartbeatMs),
      processKubelet({ nodes, pods, api }),
      volumeDirectories(directories),
      forwarder.operator(),
    ],
    close: async () => {
      await forwarder.close()
      await pods.close()
      await directory[Symbol.asyncDispose]()
      await claim.close({ graceMs: 0 })
    },
  }
}

/** Who listens at the kubelet's place in a network has it: the system gives it back however the process ends. */
async function claimNetwork(host: Host): Promise<{ claim: HttpServer; network: number }> {
  for (let network = networks.first; network <= networks.last; network += 2) {
    try {
      const hostname = `127.${network}.255.1`
      const handle = async () => ({ status: 404 })
      return { network, claim: await host.listen({ hostname, port: kubeletPort, handle }) }
    } catch (error) {
      if (!isSetpointError(error, 'NETWORK_ADDRESS_IN_USE')) throw error
    }
  }
  throw new SetpointError('NETWORK_ADDRESS_IN_USE', 'all networks for pods are taken', {
    hint: 'stop other clusters on this machine whose nodes run processes',
  })
}
