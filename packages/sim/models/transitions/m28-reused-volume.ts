import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Client } from 'setpoint/client'
import { PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteSurplusClaims } from '../support/member-claims.ts'
import { appKeys, keyOf, memberSet, ordinalOf } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
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

/** The volumes of members that have left; returns whether the next members can use their names. */
type TidyVolumes = (client: Client, cluster: ZookeeperCluster) => Promise<boolean>

/** The cleaner deletes them later, and new members do not wait for it. */
const leaveToCleaner: TidyVolumes = async (client, cluster) => {
  for (const { metadata } of await claimsOfLeft(client, cluster)) {
    if (metadata.annotations?.[leftAnnotation] !== undefined) continue
    const annotations = { [leftAnnotation]: 'true' }
    await client.patch(PersistentVolumeClaim, metadata, { merge: { metadata: { annotations } } })
  }
  return true
}

/** The fix: they are deleted now, and new members wait until they are gone. */
const deleteNow: TidyVolumes = async (client, cluster) => {
  const set = await client.find(StatefulSet, keyOf(cluster))
  if (set === undefined || !isOwnedBy(set, cluster)) return true
  return deleteSurplusClaims(client, cluster, set.spec.replicas ?? 1)
}

const operatorWith = (tidyVolumes: TidyVolumes) => async (process: ProcessContext) => {
  const members = runMembers(process)
  const cleaner = runCleaner(process)
  await startController({
    ...process,
    for: ZookeeperCluster,
    owns: [StatefulSet],
    watches: [
      { kind: Pod, keysOf: appKeys },
      { kind: PersistentVolumeClaim, keysOf: appKeys },
    ],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(ZookeeperCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return {}
      const { replicas } = cluster.spec
      const canGrow = await tidyVolumes(tools.client, cluster)
      const present = tools.cache.get(StatefulSet, key)?.spec.replicas ?? 0
      const isGrowing = present > 0 && replicas > present
      const manifest = memberSet(ZookeeperCluster, cluster, {
        replicas: isGrowing && !canGrow ? present : replicas,
        storage: '1Gi',
        claims: { whenScaled: 'Retain' },
      })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      const waiting = {
        isReady: false,
        reason: 'Waiting',
        message: 'old volumes are deleted first',
      }
      const verdict = set.spec.replicas === replicas ? verdictOfSet(set) : waiting
      await setStatus(tools, ZookeeperCluster, { object: cluster, ...verdict })
      return {}
    },
  })
  await Promise.all([members, cleaner])
}

/** The mark on a volume whose member has left the ensemble. */
const leftAnnotation = 'zookeeper.example.com/left'

/** The claims of members that a scale-down has removed. */
async function claimsOfLeft(client: Client, cluster: ZookeeperCluster) {
  const { namespace, name } = cluster.metadata
  const set = await client.find(StatefulSet, keyOf(cluster))
  const labelSelector = { app: name }
  const pods = await client.listAll(Pod, { namespace, labelSelector })
  const used = new Set(pods.map(({ metadata }) => ordinalOf(metadata.name)))
  const claims = await client.listAll(PersistentVolumeClaim, { namespace, labelSelector })
  const size = set?.spec.replicas ?? Infinity
  return claims.filter(({ metadata }) => {
    const ordinal = ordinalOf(metadata.name)
    return ordinal >= size && !used.has(ordinal)
  })
}

const cleanMs = 600_000

/** Deletes the volumes of members that have left, from time to time. */
async function runCleaner({ host, connection }: ProcessContext): Promise<void> {
  const client = new Client(host, connection)
  for (;;) {
    await host.sleep(cleanMs)
    try {
      for (const cluster of await client.listAll(ZookeeperCluster)) {
        await deleteSurplusClaims(client, cluster, cluster.spec.replicas)
      }
    } catch {
      // The next round tries again.
    }
  }
}

const crash = { 'setpoint.dev/pod-behaviour': '{"exits":{"code":1,"after":"5s"}}' }

/** What the members do: one that finds the data of a member that has left does not start. */
async function runMembers({ host, connection }: ProcessContext): Promise<void> {
  const client = new Client(host, connection)
  for (;;) {
    await host.sleep(5000)
    try {
      for (const claim of await client.listAll(PersistentVolumeClaim)) {
        if (claim.metadata.annotations?.[leftAnnotation] === undefined) continue
        const name = claim.metadata.name.replace(/^data-/, '')
        const pod = await client.find(Pod, { ...claim.metadata, name })
        if (pod === undefined || pod.metadata.annotations?.['crashes'] !== undefined) continue
        const annotations = { ...crash, crashes: 'true' }
        await client.patch(Pod, pod.metadata, { merge: { metadata: { annotations } } })
      }
    } catch {
      // The next round tries again.
    }
  }
}

export const reusedVolume: Model = {
  id: 'M28',
  from: 'zookeeper-operator#513',
  summary: 'Volumes of removed members are deleted late, and new members start with the old data.',
  resource: ZookeeperCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 3 } },
  program: operatorWith(leaveToCleaner),
  twin: operatorWith(deleteNow),
  mustFire: ['O1', 'O5'],
}
