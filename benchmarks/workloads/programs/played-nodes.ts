/**
 * Plays nodes for a real control plane, as kwok does: `node played-nodes.ts KUBECONFIG COUNT`. The same kubelets that the
 * embedded cluster has, over the network.
 */
import { readFile } from 'node:fs/promises'
import { start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import {
  nodeOperators,
  PodBehaviours,
  registerNodes,
  simulatedNodes,
} from '../../../packages/cluster/src/nodes/index.ts'

const [, , kubeconfig = '', count = '10'] = process.argv
const host = nodeHost()
const connection = await connectionFromKubeconfig(host, await readFile(kubeconfig, 'utf8'))
const nodes = simulatedNodes({ count: Number(count), pods: 1000, cpu: '64', memory: '256Gi' })
const { kubelets } = nodeOperators(nodes, new PodBehaviours())
const { client } = await start(kubelets, { host, connection, logLevel: 'error' })
await registerNodes(client, nodes, host.now())
console.log('ready')
