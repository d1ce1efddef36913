import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, Pod } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createIfMissing } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { childMetadata, claimName, keyOf, memberPod, ordinalOf } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'

const CassandraDataCenter = defineResource({
  group: 'instaclustr.example.com',
  version: 'v1alpha1',
  kind: 'CassandraDataCenter',
  spec: z.object({ nodes: z.int32().min(0).default(3) }),
  conditions: ['Ready'],
})
type CassandraDataCenter = InferResource<typeof CassandraDataCenter>

/** The pods by their ordinals. */
type ByOrdinal = (pods: readonly Pod[]) => ReadonlyMap<number, Pod>

/** The place in the list is taken for the ordinal. */
const byPlace: ByOrdinal = (pods) => new Map(pods.map((pod, place) => [place, pod]))

/** The fix: the ordinal is in the name. */
const byName: ByOrdinal = (pods) => new Map(pods.map((pod) => [ordinalOf(pod.metadata.name), pod]))

const operatorWith = (byOrdinal: ByOrdinal) => (process: ProcessContext) =>
  startController({
    ...process,
    for: CassandraDataCenter,
    owns: [Pod, PersistentVolumeClaim],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(CassandraDataCenter, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const pods = tools.cache
        .list(Pod, { namespace: key.namespace, labels: { app: key.name } })
        .filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === cluster.metadata.uid)
      const present = byOrdinal(pods)
      for (let ordinal = 0; ordinal < cluster.spec.nodes; ordinal += 1) {
        if (!present.has(ordinal)) await createNode(tools, cluster, ordinal)
      }
      for (const [ordinal, pod] of present) {
        if (ordinal >= cluster.spec.nodes) await removeNode(tools, cluster, pod)
      }
      await report(tools, cluster, pods)
    },
  })

async function createNode(tools: Tools, cluster: CassandraDataCenter, ordinal: number) {
  const { name } = cluster.metadata
  const claim = claimName(name, ordinal)
  await createIfMissing(tools, PersistentVolumeClaim, {
    metadata: childMetadata(CassandraDataCenter, cluster, claim),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: claim } }]
  const options = { name: `${name}-${ordinal}`, podSpec: { volumes } }
  await tools.client.create(Pod, memberPod(CassandraDataCenter, cluster, options))
}

/** Removes a node and its data, which it has handed over to the others. */
async function removeNode({ client }: Tools, cluster: CassandraDataCenter, pod: Pod) {
  const place = keyOf(cluster, claimName(cluster.metadata.name, ordinalOf(pod.metadata.name)))
  const claim = await client.find(PersistentVolumeClaim, place)
  if (claim !== undefined) await deleteExactly(client, PersistentVolumeClaim, { object: claim })
  await deleteExactly(client, Pod, { object: pod })
}

async function report(tools: Tools, cluster: CassandraDataCenter, pods: readonly Pod[]) {
  const ready = pods.filter((pod) => Pod.isReady(pod)).length
  const isReady = ready === cluster.spec.nodes && pods.length === ready
  const reason = isReady ? 'AllReady' : 'Progressing'
  const message = `${ready} nodes are ready`
  await setStatus(tools, CassandraDataCenter, { object: cluster, isReady, reason, message })
}

export const lastOfList: Model = {
  id: 'M23',
  from: 'instaclustr/cassandra-operator#400',
  summary: 'The place of a pod in a list is taken for its ordinal.',
  resource: CassandraDataCenter,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 3 } },
  program: operatorWith(byPlace),
  twin: operatorWith(byName),
  mustFire: ['O2', 'O4'],
}
