/**
 * The benchmark's cache program with Setpoint: all ConfigMaps in the cache that operators read. The
 * cache is not a public export, so this imports it from the sources.
 */
import { loadConnection } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { ConfigMap } from 'setpoint/kinds'
import { Cache } from '../../../packages/setpoint/src/cache/index.ts'
import { Transport } from '../../../packages/setpoint/src/client/index.ts'

const round = process.env['CACHE_ROUND']
const expected = Number(process.env['CACHE_UPDATES'])
const host = nodeHost()
const transport = new Transport(host, await loadConnection(host))
const { cache } = new Cache({ host, transport }).open(ConfigMap)
let seen = 0
cache.subscribe(({ type, key }) => {
  if (type !== 'changed' || cache.get(key)?.data?.['round'] !== round) return
  seen += 1
  if (seen === expected) console.log(`updated ${seen}`)
})
await cache.whenSynced()
console.log('listed')
global.gc?.()
console.log(`synced ${cache.health().objects}`)
process.once('SIGTERM', () => process.exit(0))
