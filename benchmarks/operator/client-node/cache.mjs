// The benchmark's cache program with @kubernetes/client-node: an informer on all ConfigMaps.
import { CoreV1Api } from '@kubernetes/client-node'
import { connect, informerOf } from './cluster.mjs'

const round = process.env.CACHE_ROUND
const expected = Number(process.env.CACHE_UPDATES)
const cluster = connect()
const core = cluster.makeApiClient(CoreV1Api)
const configMaps = informerOf(cluster, {
  path: '/api/v1/configmaps',
  list: () => core.listConfigMapForAllNamespaces(),
})
let seen = 0
configMaps.on('update', ({ data }) => {
  if (data?.round !== round) return
  seen += 1
  if (seen === expected) console.log(`updated ${seen}`)
})
process.once('SIGTERM', () => process.exit(0))
await configMaps.start()
console.log('listed')
global.gc?.()
console.log(`synced ${configMaps.list().length}`)
