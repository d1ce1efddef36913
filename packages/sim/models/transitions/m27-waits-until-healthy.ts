import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { ConfigMap, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { childMetadata, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const MongoDBCommunity = defineResource({
  group: 'mongodb.example.com',
  version: 'v1',
  kind: 'MongoDBCommunity',
  spec: z.object({
    members: z.int32().min(0).default(2),
    nodeSelector: z.record(z.string(), z.string()).default({}),
  }),
  conditions: ['Ready'],
})
type MongoDBCommunity = InferResource<typeof MongoDBCommunity>

/** Whether the reconcile stops before it writes the StatefulSet. */
type MustWait = (set: StatefulSet | undefined) => boolean

/** Nothing is changed until all members are ready, even if they never will be. */
const untilHealthy: MustWait = (set) => set !== undefined && !StatefulSet.isRolledOut(set)

/** The fix: only the steps after the StatefulSet wait for it, in its current form. */
const never: MustWait = () => false

const operatorWith = (mustWait: MustWait) => (process: ProcessContext) =>
  startController({
    ...process,
    for: MongoDBCommunity,
    owns: [ConfigMap, StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(MongoDBCommunity, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return {}
      const present = tools.cache.get(StatefulSet, key)
      const set = mustWait(present) ? present : await ensureSet(tools, cluster)
      await setStatus(tools, MongoDBCommunity, { object: cluster, ...verdictOfSet(set) })
      if (!StatefulSet.isRolledOut(set)) return { requeueAfterMs: 10_000 }
      const { members } = cluster.spec
      await createOrUpdate(tools, ConfigMap, {
        metadata: childMetadata(MongoDBCommunity, cluster, `${cluster.metadata.name}-automation`),
        data: { members: Array.from({ length: members }, (_, index) => index).join(',') },
      })
      return {}
    },
  })

async function ensureSet(tools: Tools, cluster: MongoDBCommunity): Promise<StatefulSet> {
  const { members: replicas, nodeSelector } = cluster.spec
  const manifest = memberSet(MongoDBCommunity, cluster, { replicas, nodeSelector })
  return createOrUpdate(tools, StatefulSet, manifest)
}

export const waitsUntilHealthy: Model = {
  id: 'M27',
  from: 'cass-operator#334, tidb-operator#4946, mongodb#1245, redis-operator#480, PXC-1155',
  summary: 'Nothing is changed until all members are ready, so a bad change cannot be undone.',
  resource: MongoDBCommunity,
  sample: { metadata: { name: 'oak' }, spec: { members: 2, nodeSelector: {} } },
  program: operatorWith(untilHealthy),
  twin: operatorWith(never),
  mustFire: ['O13', 'O1'],
}
