import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { gibibytes, sizeSchema } from '../support/gibibytes.ts'
import { appKeys, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, type Verdict, verdictOfSet } from '../support/status.ts'

const RabbitmqCluster = defineResource({
  group: 'rabbitmq.example.com',
  version: 'v1',
  kind: 'RabbitmqCluster',
  spec: z.object({ replicas: z.int32().min(0).default(2), storage: sizeSchema.default('1Gi') }),
  conditions: ['Ready'],
})
type RabbitmqCluster = InferResource<typeof RabbitmqCluster>

/**
 * Makes the claims as large as demanded. The template of a StatefulSet cannot be changed, so the
 * StatefulSet is deleted. Returns whether it was, and must be created again.
 */
type Resize = (tools: Tools, cluster: RabbitmqCluster, set?: StatefulSet) => Promise<boolean>

/** The template of the StatefulSet says whether the claims must grow. */
const ifTemplateDiffers: Resize = async (tools, cluster, set) => {
  if (set === undefined || templateSize(set) >= gibibytes(cluster.spec.storage)) return false
  await deleteExactly(tools.client, StatefulSet, { object: set, propagation: 'Orphan' })
  await growClaims(tools, cluster)
  return true
}

/** The fix: the claims themselves say it. */
const ifClaimsDiffer: Resize = async (tools, cluster, set) => {
  await growClaims(tools, cluster)
  if (set === undefined || templateSize(set) >= gibibytes(cluster.spec.storage)) return false
  await deleteExactly(tools.client, StatefulSet, { object: set, propagation: 'Orphan' })
  return true
}

/** The operator of M05. */
export const operatorWith = (resize: Resize) => (process: ProcessContext) =>
  startController({
    ...process,
    for: RabbitmqCluster,
    owns: [StatefulSet],
    watches: [{ kind: PersistentVolumeClaim, keysOf: appKeys }],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(RabbitmqCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const set = tools.cache.get(StatefulSet, key)
      if (await resize(tools, cluster, set)) return
      // A volume cannot shrink: the StatefulSet keeps its size, and the status says so.
      const size = Math.max(
        set === undefined ? 0 : templateSize(set),
        gibibytes(cluster.spec.storage),
      )
      const { replicas } = cluster.spec
      const manifest = memberSet(RabbitmqCluster, cluster, { replicas, storage: `${size}Gi` })
      const current = await createOrUpdate(tools, StatefulSet, manifest)
      const verdict = verdictOf(cluster, { set: current, claims: claimsOf(tools, cluster), size })
      await setStatus(tools, RabbitmqCluster, { object: cluster, ...verdict })
    },
  })

interface Progress {
  readonly set: StatefulSet
  readonly claims: readonly PersistentVolumeClaim[]
  readonly size: number
}

function verdictOf({ spec }: RabbitmqCluster, { set, claims, size }: Progress): Verdict {
  if (size > gibibytes(spec.storage)) {
    const message = `volumes of ${size}Gi cannot shrink to ${spec.storage}`
    return { isReady: false, reason: 'ShrinkRefused', message }
  }
  const growing = claims.filter(({ status }) => gibibytes(status?.capacity?.['storage']) < size)
  if (growing.length === 0) return verdictOfSet(set)
  return { isReady: false, reason: 'Growing', message: `${growing.length} volumes are growing` }
}

async function growClaims(tools: Tools, cluster: RabbitmqCluster): Promise<void> {
  const { storage } = cluster.spec
  for (const { metadata, spec } of claimsOf(tools, cluster)) {
    if (gibibytes(spec.resources?.requests?.['storage']) >= gibibytes(storage)) continue
    await tools.client.patch(PersistentVolumeClaim, metadata, {
      merge: {
        metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
        spec: { resources: { requests: { storage } } },
      },
    })
  }
}

function claimsOf({ cache }: Tools, { metadata: { namespace, name } }: RabbitmqCluster) {
  return cache
    .list(PersistentVolumeClaim, { namespace, labels: { app: name } })
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

/** The size in the claim template of a StatefulSet. */
export function templateSize({ spec }: StatefulSet): number {
  return gibibytes(spec.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.['storage'])
}

export const resizeGuardedByTemplate: Model = {
  id: 'M05',
  from: 'rabbitmq/cluster-operator#782',
  summary: 'The StatefulSet is replaced before the claims grow, and its template is the guard.',
  resource: RabbitmqCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2, storage: '1Gi' } },
  program: operatorWith(ifTemplateDiffers),
  twin: operatorWith(ifClaimsDiffer),
  mustFire: ['O2', 'O6'],
}
