/**
 * Simulates nodes for a real control plane, like KWOK: `node simulated-nodes.ts KUBECONFIG COUNT
 * [storage]`. It runs the kubelets of the embedded cluster over the network; with `storage`, its
 * volumes too.
 */
import { readFile } from 'node:fs/promises'
import { start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import {
  claimProvisioner,
  nodeOperators,
  PodBehaviours,
  registerNodes,
  registerStorage,
  simulatedNodes,
  volumeRemover,
} from '../../../packages/cluster/src/nodes/index.ts'

const [, , kubeconfig = '', count = '10', storage] = process.argv
const host = nodeHost()
const connection = await connectionFromKubeconfig(host, await readFile(kubeconfig, 'utf8'))
const nodes = simulatedNodes({ count: Number(count), pods: 1000, cpu: '64', memory: '256Gi' })
const { agent, kubelet } = nodeOperators(nodes, new PodBehaviours())
const volumes = storage === 'storage' ? [claimProvisioner(), volumeRemover()] : []
const { client } = await start([agent, kubelet, ...volumes], {
  host,
  connection,
  logLevel: 'error',
})
await registerNodes(client, nodes, host.now())
if (volumes.length > 0) await registerStorage(client)
console.log('ready')
