import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteSurplusClaims } from '../support/member-claims.ts'
import { appKeys, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const CassandraDataCenter = defineResource({
  group: 'instaclustr.example.com',
  version: 'v1alpha1',
  kind: 'CassandraDataCenter',
  spec: z.object({ nodes: z.int32().min(0).default(3) }),
  conditions: ['Ready'],
})
type CassandraDataCenter = InferResource<typeof CassandraDataCenter>

/** Deletes the volumes of nodes that a scale-down removes. */
type DeleteClaims = (tools: Tools, cluster: CassandraDataCenter) => Promise<void>

/** A pod that terminates is one that a scale-down removes, and its claim has its name. */
const ofTerminatingPods: DeleteClaims = async ({ cache, client }, cluster) => {
  const { namespace, name, uid } = cluster.metadata
  const set = cache.get(StatefulSet, { namespace, name })
  if (set?.metadata.ownerReferences?.[0]?.uid !== uid) return
  for (const { metadata } of cache.list(Pod, { namespace, labels: { app: name } })) {
    if (metadata.deletionTimestamp === undefined) continue
    await client.delete(PersistentVolumeClaim, keyOf(cluster, `data-${metadata.name}`))
  }
}

/** The fix: the pod is read again, and its claim must be beyond the size of the cluster. */
const ofRemovedPods: DeleteClaims = async ({ client }, cluster) => {
  await deleteSurplusClaims(client, cluster, cluster.spec.nodes)
}

const operatorWith = (deleteClaims: DeleteClaims) => (process: ProcessContext) =>
  startController({
    ...process,
    for: CassandraDataCenter,
    owns: [StatefulSet],
    watches: [{ kind: Pod, keysOf: appKeys }],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(CassandraDataCenter, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const manifest = memberSet(CassandraDataCenter, cluster, {
        replicas: cluster.spec.nodes,
        storage: '1Gi',
        claims: { whenScaled: 'Retain' },
      })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await deleteClaims(tools, cluster)
      await setStatus(tools, CassandraDataCenter, { object: cluster, ...verdictOfSet(set) })
    },
  })

export const claimOfTerminatingPod: Model = {
  id: 'M10',
  from: 'instaclustr/cassandra-operator#407',
  summary: 'The claim of a pod that terminates is deleted, and the pod may be an earlier one.',
  resource: CassandraDataCenter,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 3 } },
  program: operatorWith(ofTerminatingPods),
  twin: operatorWith(ofRemovedPods),
  mustFire: ['O4'],
}
