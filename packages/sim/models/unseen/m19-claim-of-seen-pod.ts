import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { deleteSurplusClaims } from '../support/member-claims.ts'
import { appKeys, claimName, keyOf, memberSet, ordinalOf } from '../support/member-set.ts'
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

/** The claim is deleted when its pod is seen while it terminates; afterwards nothing leads to it. */
const ofPodsSeenTerminating: DeleteClaims = async ({ cache, client }, cluster) => {
  const { namespace, name } = cluster.metadata
  for (const { metadata } of cache.list(Pod, { namespace, labels: { app: name } })) {
    const ordinal = ordinalOf(metadata.name)
    if (metadata.deletionTimestamp === undefined || ordinal < cluster.spec.nodes) continue
    const pod = await client.find(Pod, metadata)
    if (pod?.metadata.uid !== metadata.uid) continue
    const object = await client.find(
      PersistentVolumeClaim,
      keyOf(cluster, claimName(name, ordinal)),
    )
    if (object !== undefined) await deleteExactly(client, PersistentVolumeClaim, { object })
  }
}

/** The fix: the claims that exist, minus those of the desired nodes. */
const beyondDesired: DeleteClaims = async ({ client }, cluster) => {
  await deleteSurplusClaims(client, cluster, cluster.spec.nodes)
}

/** The operator of M19. */
export const operatorWith = (deleteClaims: DeleteClaims) => (process: ProcessContext) =>
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

export const claimOfSeenPod: Model = {
  id: 'M19',
  from: 'instaclustr/cassandra-operator#398',
  summary: 'The claim of a removed pod is deleted only if the pod is seen while it terminates.',
  resource: CassandraDataCenter,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 3 } },
  program: operatorWith(ofPodsSeenTerminating),
  twin: operatorWith(beyondDesired),
  mustFire: ['O5', 'O2'],
}
