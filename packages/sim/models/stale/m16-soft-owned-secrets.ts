import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Secret, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { ObjectKey, StoredObject } from '../support/stored-object.ts'

const Elasticsearch = defineResource({
  group: 'elasticsearch.example.com',
  version: 'v1',
  kind: 'Elasticsearch',
  spec: z.object({ count: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type Elasticsearch = InferResource<typeof Elasticsearch>

/** Secrets of users have no owner reference, only labels: the operator removes them itself. */
const ownerNameLabel = 'elasticsearch.example.com/soft-owner-name'
const ownerUidLabel = 'elasticsearch.example.com/soft-owner-uid'

/** What differs between the program and the twin of M16. */
interface Approach {
  readOwner(tools: Tools, key: ObjectKey): Promise<Elasticsearch | undefined>
  /** Deletes the secrets of an owner that does not exist. */
  deleteSecrets(tools: Tools, key: ObjectKey): Promise<void>
}

/** An owner that is not in the cache does not exist. */
const ifNotInCache: Approach = {
  readOwner: async ({ cache }, key) => cache.get(Elasticsearch, key),
  deleteSecrets: async ({ client }, key) => {
    for (const { metadata } of await secretsOf(client, key)) await client.delete(Secret, metadata)
  },
}

/** The fix: the API server says whether it exists, and the uid whose secrets these are. */
export const ifNotOnServer: Approach = {
  readOwner: async ({ client }, key) => client.find(Elasticsearch, key),
  deleteSecrets: async ({ client }, key) => {
    const secrets = await secretsOf(client, key)
    const live = await client.find(Elasticsearch, key)
    for (const object of secrets) {
      if (object.metadata.labels?.[ownerUidLabel] === live?.metadata.uid) continue
      await deleteExactly(client, Secret, { object })
    }
  },
}

/** The operator of M16. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: Elasticsearch,
    owns: [StatefulSet],
    watches: [{ kind: Secret, keysOf: softOwnerKeys }],
    reconcile: async (key, tools) => {
      const cluster = await approach.readOwner(tools, key)
      if (cluster === undefined) return approach.deleteSecrets(tools, key)
      if (cluster.metadata.deletionTimestamp !== undefined) return
      await ensureSecret(tools, cluster)
      const { count } = cluster.spec
      const manifest = memberSet(Elasticsearch, cluster, { replicas: count })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, Elasticsearch, { object: cluster, ...verdictOfSet(set) })
    },
  })

/** The passwords of an earlier cluster of the same name are not used again. */
async function ensureSecret({ host, client }: Tools, cluster: Elasticsearch): Promise<void> {
  const { name, uid } = cluster.metadata
  const place = keyOf(cluster, `${name}-es-elastic-user`)
  const object = await client.find(Secret, place)
  if (object?.metadata.labels?.[ownerUidLabel] === uid) return
  if (object !== undefined) await deleteExactly(client, Secret, { object })
  await client.create(Secret, {
    metadata: { ...place, labels: { [ownerNameLabel]: name, [ownerUidLabel]: uid } },
    data: { elastic: btoa(host.uuid()) },
  })
}

function secretsOf(client: Tools['client'], { namespace, name }: ObjectKey) {
  return client.listAll(Secret, { namespace, labelSelector: { [ownerNameLabel]: name } })
}

function softOwnerKeys({ metadata: { namespace = '', labels } }: StoredObject) {
  const name = labels?.[ownerNameLabel]
  return name === undefined ? [] : [{ namespace, name }]
}

export const softOwnedSecrets: Model = {
  id: 'M16',
  from: 'elastic/cloud-on-k8s#5249',
  summary: 'The passwords of a cluster that is not in the cache are deleted.',
  resource: Elasticsearch,
  sample: { metadata: { name: 'oak' }, spec: { count: 2 } },
  program: operatorWith(ifNotInCache),
  twin: operatorWith(ifNotOnServer),
  mustFire: ['O4', 'O3'],
}
