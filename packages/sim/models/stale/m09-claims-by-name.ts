import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { addFinalizer, removeFinalizer } from '../support/finalizer.ts'
import { keyOf, memberSet } from '../support/member-set.ts'
import { type Result, startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy, type ObjectKey } from '../support/stored-object.ts'

const CassandraDatacenter = defineResource({
  group: 'cassandra.example.com',
  version: 'v1beta1',
  kind: 'CassandraDatacenter',
  spec: z.object({ size: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type CassandraDatacenter = InferResource<typeof CassandraDatacenter>

const finalizer = 'finalizer.cassandra.example.com'
const ownerLabel = 'cassandra.example.com/owner-uid'

/** How M09 cleans up. */
interface Approach {
  readOwner(tools: Tools, key: ObjectKey): Promise<CassandraDatacenter | undefined>
  /** Deletes the volumes of a deleted datacenter. */
  deleteClaims(tools: Tools, datacenter: CassandraDatacenter): Promise<void>
  /** Whether the finalizer is removed before the claims. */
  readonly releasesFirst?: boolean
}

/** The cache says that the datacenter is deleted, and the name says which claims are its own. */
const byName: Approach = {
  readOwner: async ({ cache }, key) => cache.get(CassandraDatacenter, key),
  deleteClaims: async ({ client }, { metadata: { name, namespace } }) => {
    const labelSelector = { app: name }
    for (const { metadata } of await client.listAll(PersistentVolumeClaim, {
      namespace,
      labelSelector,
    })) {
      await client.delete(PersistentVolumeClaim, metadata)
    }
  },
}

/** The fix: the owner is read from the API server, and its uid says which claims are its own. */
export const byOwnerUid: Approach = {
  readOwner: async ({ client }, key) => client.find(CassandraDatacenter, key),
  deleteClaims: async ({ client }, { metadata: { uid, namespace } }) => {
    const labelSelector = { [ownerLabel]: uid }
    for (const object of await client.listAll(PersistentVolumeClaim, {
      namespace,
      labelSelector,
    })) {
      await deleteExactly(client, PersistentVolumeClaim, { object })
    }
  },
}

/** The operator of M09. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: CassandraDatacenter,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const found = await approach.readOwner(tools, key)
      if (found === undefined) return {}
      if (found.metadata.deletionTimestamp !== undefined) return cleanUp(tools, found, approach)
      const object = found
      const datacenter = await addFinalizer(tools.client, CassandraDatacenter, {
        object,
        name: finalizer,
      })
      const manifest = memberSet(CassandraDatacenter, datacenter, {
        replicas: datacenter.spec.size,
        storage: '1Gi',
        claims: { whenDeleted: 'Retain' },
        claimLabels: { [ownerLabel]: datacenter.metadata.uid },
      })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, CassandraDatacenter, { object: datacenter, ...verdictOfSet(set) })
      return {}
    },
  })

/** Stops the members, and then deletes their volumes. */
async function cleanUp(
  tools: Tools,
  datacenter: CassandraDatacenter,
  approach: Approach,
): Promise<Result> {
  if (!(datacenter.metadata.finalizers ?? []).includes(finalizer)) return {}
  const set = await tools.client.find(StatefulSet, keyOf(datacenter))
  if (set !== undefined && isOwnedBy(set, datacenter)) {
    await deleteExactly(tools.client, StatefulSet, { object: set })
    return { requeueAfterMs: 5000 }
  }
  const object = datacenter
  if (approach.releasesFirst !== true) await approach.deleteClaims(tools, datacenter)
  await removeFinalizer(tools.client, CassandraDatacenter, { object, name: finalizer })
  if (approach.releasesFirst === true) await approach.deleteClaims(tools, datacenter)
  return {}
}

export const claimsByName: Model = {
  id: 'M09',
  from: 'K8SSAND-559, zookeeper-operator#312, casskop#316, instaclustr/cassandra-operator#402',
  summary:
    'The volumes of a deleted cluster are found by its name, and the deletion may be an old one.',
  resource: CassandraDatacenter,
  sample: { metadata: { name: 'oak' }, spec: { size: 2 } },
  program: operatorWith(byName),
  twin: operatorWith(byOwnerUid),
  mustFire: ['O4', 'O3'],
}
