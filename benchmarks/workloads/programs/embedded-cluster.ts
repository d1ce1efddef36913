/** The embedded cluster as a separate process: `node embedded-cluster.ts KUBECONFIG NODES`. */
import { writeFile } from 'node:fs/promises'
import { createCluster } from '@setpoint/cluster'

const [, , kubeconfig = '', count = '10'] = process.argv
const nodes = { count: Number(count), pods: 1000, cpu: '64', memory: '256Gi' }
const cluster = await createCluster({ nodes })
await writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
console.log('ready')
