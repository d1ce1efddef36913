import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Service, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy, type ObjectKey } from '../support/stored-object.ts'

/** The resource of M15. */
export const PerconaServerMongoDB = defineResource({
  group: 'psmdb.example.com',
  version: 'v1',
  kind: 'PerconaServerMongoDB',
  spec: z.object({
    size: z.int32().min(0).default(2),
    sharding: z.object({ enabled: z.boolean().default(true) }).default({ enabled: true }),
  }),
  conditions: ['Ready'],
})
type PerconaServerMongoDB = InferResource<typeof PerconaServerMongoDB>

/** What differs between the program and the twin of M15. */
interface Approach {
  readOwner(tools: Tools, key: ObjectKey): Promise<PerconaServerMongoDB | undefined>
  /** Removes the config servers and their Service when sharding is switched off. */
  removeSharding(tools: Tools, cluster: PerconaServerMongoDB): Promise<void>
}

/** The flag in the cache is enough to delete. */
const byCachedFlag: Approach = {
  readOwner: async ({ cache }, key) => cache.get(PerconaServerMongoDB, key),
  removeSharding: async ({ cache, client }, cluster) => {
    for (const kind of [StatefulSet, Service]) {
      const object = cache.get<typeof kind>(kind, configServers(cluster))
      if (object !== undefined) await client.delete(kind, configServers(cluster))
    }
  },
}

/** The fix: the flag is read from the API server, and only own objects are deleted. */
export const byCurrentFlag: Approach = {
  readOwner: async ({ client }, key) => client.find(PerconaServerMongoDB, key),
  removeSharding: async ({ client }, cluster) => {
    for (const kind of [StatefulSet, Service]) {
      const object = await client.find<typeof kind>(kind, configServers(cluster))
      if (object === undefined || !isOwnedBy(object, cluster)) continue
      await deleteExactly(client, kind, { object })
    }
  },
}

const configServers = (cluster: PerconaServerMongoDB) =>
  keyOf(cluster, `${cluster.metadata.name}-cfg`)

/** The operator of M15. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: PerconaServerMongoDB,
    owns: [StatefulSet, Service],
    reconcile: async (key, tools) => {
      const cluster = await approach.readOwner(tools, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const { size, sharding } = cluster.spec
      const { name } = configServers(cluster)
      if (sharding.enabled) {
        const config = memberSet(PerconaServerMongoDB, cluster, { name, replicas: 3 })
        await createOrUpdate(tools, StatefulSet, config)
        await createOrUpdate(tools, Service, {
          metadata: childMetadata(PerconaServerMongoDB, cluster, name),
          spec: { clusterIP: 'None', selector: { member: name }, ports: [{ port: 27017 }] },
        })
      } else await approach.removeSharding(tools, cluster)
      const options = { name: `${cluster.metadata.name}-rs0`, replicas: size }
      const set = await createOrUpdate(
        tools,
        StatefulSet,
        memberSet(PerconaServerMongoDB, cluster, options),
      )
      await setStatus(tools, PerconaServerMongoDB, { object: cluster, ...verdictOfSet(set) })
    },
  })

export const switchedOffComponent: Model = {
  id: 'M15',
  from: 'PSMDB-433, PSMDB-438, PXC-725, PXC-763, yugabyte-operator#35, yugabyte-operator#36',
  summary: 'A component is deleted because the cached object still says that it is switched off.',
  resource: PerconaServerMongoDB,
  sample: { metadata: { name: 'oak' }, spec: { size: 2, sharding: { enabled: true } } },
  program: operatorWith(byCachedFlag),
  twin: operatorWith(byCurrentFlag),
  mustFire: ['O4', 'O3'],
}
