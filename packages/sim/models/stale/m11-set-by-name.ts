import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Secret, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createIfMissing, createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { addFinalizer, removeFinalizer } from '../support/finalizer.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { type Result, startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy, type ObjectKey } from '../support/stored-object.ts'

const RabbitmqCluster = defineResource({
  group: 'rabbitmq.example.com',
  version: 'v1beta1',
  kind: 'RabbitmqCluster',
  spec: z.object({ replicas: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type RabbitmqCluster = InferResource<typeof RabbitmqCluster>

const finalizer = 'deletion.finalizers.rabbitmq.example.com'

interface Approach {
  readOwner(tools: Tools, key: ObjectKey): Promise<RabbitmqCluster | undefined>
  /** Deletes the StatefulSet of a deleted cluster; returns whether it is gone. */
  deleteSet(tools: Tools, cluster: RabbitmqCluster): Promise<boolean>
}

/** The cache says that the cluster is deleted; its StatefulSet has its name. */
const byName: Approach = {
  readOwner: async ({ cache }, key) => cache.get(RabbitmqCluster, key),
  deleteSet: async ({ client }, cluster) => !(await client.delete(StatefulSet, keyOf(cluster))),
}

/** The fix: the cluster is read from the API server, and only its own StatefulSet is deleted. */
const byOwnerUid: Approach = {
  readOwner: async ({ client }, key) => client.find(RabbitmqCluster, key),
  deleteSet: async ({ client }, cluster) => {
    const object = await client.find(StatefulSet, keyOf(cluster))
    if (object === undefined || !isOwnedBy(object, cluster)) return true
    await deleteExactly(client, StatefulSet, { object })
    return false
  },
}

const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: RabbitmqCluster,
    owns: [StatefulSet, Secret],
    reconcile: async (key, tools) => {
      const object = await approach.readOwner(tools, key)
      if (object === undefined) return {}
      if (object.metadata.deletionTimestamp !== undefined) return cleanUp(tools, object, approach)
      const cluster = await addFinalizer(tools.client, RabbitmqCluster, { object, name: finalizer })
      const cookie = childMetadata(
        RabbitmqCluster,
        cluster,
        `${cluster.metadata.name}-erlang-cookie`,
      )
      await createIfMissing(tools, Secret, {
        metadata: cookie,
        data: { '.erlang.cookie': btoa(process.host.uuid()) },
      })
      const { replicas } = cluster.spec
      const set = await createOrUpdate(
        tools,
        StatefulSet,
        memberSet(RabbitmqCluster, cluster, { replicas }),
      )
      await setStatus(tools, RabbitmqCluster, { object: cluster, ...verdictOfSet(set) })
      return {}
    },
  })

async function cleanUp(tools: Tools, object: RabbitmqCluster, approach: Approach): Promise<Result> {
  if (!(object.metadata.finalizers ?? []).includes(finalizer)) return {}
  if (!(await approach.deleteSet(tools, object))) return { requeueAfterMs: 5000 }
  await removeFinalizer(tools.client, RabbitmqCluster, { object, name: finalizer })
  return {}
}

export const setByName: Model = {
  id: 'M11',
  from: 'rabbitmq/cluster-operator#648',
  summary:
    'The finalizer deletes the StatefulSet by its name, for a deletion that may be an old one.',
  resource: RabbitmqCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2 } },
  program: operatorWith(byName),
  twin: operatorWith(byOwnerUid),
  mustFire: ['O4', 'O3'],
}
