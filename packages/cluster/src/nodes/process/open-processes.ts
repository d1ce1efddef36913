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

/** The process nodes of a cluster. */
export interface OpenProcesses {
  readonly nodes: readonly SimulatedNode[]
  /** The range of cluster IPs that are reachable on this machine. */
  readonly serviceRange: string
  /** The runtime for logs and commands. */
  readonly runtime: ProcessRuntime
  /** The scheduler, the kubelets and the other operators of process nodes. */
  operators(api: ProcessApi): AnyOperator[]
  /** Stops all processes and removes their files. */
  close(): Promise<void>
}

/**
 * The second bytes of networks in 127.0.0.0/8 for clusters: an even one for pods, the next one for
 * services.
 */
const networks = { first: 64, last: 250 }
const kubeletPort = 10_250

const heartbeatMs = 10_000

/**
 * Prepares process nodes: a directory that is removed with this process, and a network of loopback
 * addresses that no other cluster on this machine uses.
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
  const nodes = simulatedNodes({ count: 1, ...options }).map((node) => ({
    ...node,
    hostIP: `127.${network}.255.${node.index + 1}`,
    podCIDR: `127.${network}.${node.index}.0/24`,
  }))
  const forwarder = new ServiceForwarder(sockets, {
    prefix: `127.${network + 1}.`,
    nodes: nodes.map(({ hostIP }) => hostIP),
  })
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

/**
 * A network is reserved by listening on the kubelet port. The system frees it however the process
 * ends.
 */
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
  throw new SetpointError('NETWORK_ADDRESS_IN_USE', 'all loopback networks for pods are in use', {
    hint: 'stop other clusters with process nodes on this machine',
  })
}
