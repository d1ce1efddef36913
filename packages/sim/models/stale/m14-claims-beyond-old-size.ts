import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteSurplusClaims } from '../support/member-claims.ts'
import { appKeys, keyOf, memberSet, ordinalOf } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'

const ZookeeperCluster = defineResource({
  group: 'zookeeper.example.com',
  version: 'v1beta1',
  kind: 'ZookeeperCluster',
  spec: z.object({ replicas: z.int32().min(1).default(3) }),
  conditions: ['Ready'],
})
type ZookeeperCluster = InferResource<typeof ZookeeperCluster>

/** The annotation with the generation of the cluster for which the StatefulSet was written. */
const generationAnnotation = 'zookeeper.example.com/owner-generation'

/** What differs between the program and the twin of M14. */
interface Approach {
  /** Fails if the cluster is too old to act on. */
  checkAge(tools: Tools, cluster: ZookeeperCluster): Promise<void>
  annotationsOf(cluster: ZookeeperCluster): Readonly<Record<string, string>>
  /** Deletes the claims beyond the size of the cluster. */
  deleteClaims(tools: Tools, cluster: ZookeeperCluster): Promise<void>
}

/** The size in the cache is taken for the current one. */
const trustCache: Approach = {
  checkAge: async () => undefined,
  annotationsOf: () => ({}),
  deleteClaims: async ({ cache, client }, cluster) => {
    const { namespace, name } = cluster.metadata
    const set = cache.get(StatefulSet, keyOf(cluster))
    if (set?.status?.replicas !== cluster.spec.replicas) return
    for (const { metadata } of cache.list(PersistentVolumeClaim, {
      namespace,
      labels: { app: name },
    })) {
      const isSurplus = ordinalOf(metadata.name) >= cluster.spec.replicas
      if (isSurplus) await client.delete(PersistentVolumeClaim, metadata)
    }
  },
}

/** The fix: the StatefulSet names the generation that it was made for, and an older one is refused. */
export const refuseOlder: Approach = {
  checkAge: async ({ client }, cluster) => {
    const { uid, generation = 0 } = cluster.metadata
    const set = await client.find(StatefulSet, keyOf(cluster))
    const isOurs = set !== undefined && isOwnedBy(set, cluster)
    const written = isOurs ? Number(set.metadata.annotations?.[generationAnnotation] ?? 0) : 0
    const live = await client.find(ZookeeperCluster, keyOf(cluster))
    const isCurrent = live?.metadata.uid === uid && live.metadata.generation === generation
    if (written > generation || !isCurrent) throw new Error('the cached cluster is too old')
  },
  annotationsOf: ({ metadata }) => ({ [generationAnnotation]: String(metadata.generation) }),
  deleteClaims: async ({ client }, cluster) => {
    await deleteSurplusClaims(client, cluster, cluster.spec.replicas)
  },
}

/** The operator of M14. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: ZookeeperCluster,
    owns: [StatefulSet],
    watches: [
      { kind: PersistentVolumeClaim, keysOf: appKeys },
      { kind: Pod, keysOf: appKeys },
    ],
    reconcile: async (key, tools) => {
      const cluster = tools.cache.get(ZookeeperCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      await approach.checkAge(tools, cluster)
      const manifest = memberSet(ZookeeperCluster, cluster, {
        replicas: cluster.spec.replicas,
        storage: '1Gi',
        claims: { whenScaled: 'Retain' },
        annotations: approach.annotationsOf(cluster),
      })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await approach.deleteClaims(tools, cluster)
      await setStatus(tools, ZookeeperCluster, { object: cluster, ...verdictOfSet(set) })
    },
  })

export const claimsBeyondOldSize: Model = {
  id: 'M14',
  from: 'zookeeper-operator#314',
  summary: 'An old size from the cache scales the cluster down and deletes the volumes beyond it.',
  resource: ZookeeperCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 3 } },
  program: operatorWith(trustCache),
  twin: operatorWith(refuseOlder),
  mustFire: ['O4', 'O5'],
}
