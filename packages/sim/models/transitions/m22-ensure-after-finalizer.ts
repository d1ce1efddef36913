import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { ConfigMap, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { addFinalizer, removeFinalizer } from '../support/finalizer.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'

const ZookeeperCluster = defineResource({
  group: 'zookeeper.example.com',
  version: 'v1beta1',
  kind: 'ZookeeperCluster',
  spec: z.object({ replicas: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type ZookeeperCluster = InferResource<typeof ZookeeperCluster>

const finalizer = 'zookeeper.example.com/cleanup'

interface Options {
  /** Whether a reconcile of a deleted cluster continues with its children. */
  readonly fallsThrough: boolean
}

const operatorWith =
  ({ fallsThrough }: Options) =>
  (process: ProcessContext) =>
    startController({
      ...process,
      for: ZookeeperCluster,
      owns: [ConfigMap, StatefulSet],
      reconcile: async (key, tools) => {
        const object = await tools.client.find(ZookeeperCluster, key)
        if (object === undefined) return {}
        if (object.metadata.deletionTimestamp !== undefined) {
          if (!(await cleanUp(tools, object))) return { requeueAfterMs: 5000 }
          await removeFinalizer(tools.client, ZookeeperCluster, { object, name: finalizer })
          if (!fallsThrough) return {}
        }
        const isDeleted = object.metadata.deletionTimestamp !== undefined
        const cluster = isDeleted
          ? object
          : await addFinalizer(tools.client, ZookeeperCluster, { object, name: finalizer })
        await ensureChildren(tools, cluster)
        return {}
      },
    })

async function ensureChildren(tools: Tools, cluster: ZookeeperCluster): Promise<void> {
  const { replicas } = cluster.spec
  await createOrUpdate(tools, ConfigMap, {
    metadata: childMetadata(ZookeeperCluster, cluster, `${cluster.metadata.name}-configmap`),
    data: { 'zoo.cfg': `quorum=${replicas}` },
  })
  const manifest = memberSet(ZookeeperCluster, cluster, { replicas })
  const set = await createOrUpdate(tools, StatefulSet, manifest)
  await setStatus(tools, ZookeeperCluster, { object: cluster, ...verdictOfSet(set) })
}

/** Stops the members of a deleted cluster; returns whether they are stopped. */
async function cleanUp({ client }: Tools, cluster: ZookeeperCluster): Promise<boolean> {
  const object = await client.find(StatefulSet, keyOf(cluster))
  if (object === undefined || !isOwnedBy(object, cluster)) return true
  await deleteExactly(client, StatefulSet, { object })
  return false
}

export const ensureAfterFinalizer: Model = {
  id: 'M22',
  from: 'zookeeper-operator#410, PSMDB-590',
  summary:
    'After the finalizer is removed, the reconcile continues and creates the children again.',
  resource: ZookeeperCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2 } },
  program: operatorWith({ fallsThrough: true }),
  twin: operatorWith({ fallsThrough: false }),
  mustFire: ['O10'],
}
