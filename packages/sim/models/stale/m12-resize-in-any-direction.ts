import * as z from 'zod'
import { defineResource, type InferResource, rule } from 'setpoint'
import { PersistentVolumeClaim, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { gibibytes, sizeSchema } from '../support/gibibytes.ts'
import { appKeys, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy, type ObjectKey } from '../support/stored-object.ts'

const noShrink = rule('quantity(self).compareTo(quantity(oldSelf)) >= 0', 'volumes cannot shrink')

/** The resource of M12. */
export const RabbitmqCluster = defineResource({
  group: 'rabbitmq.example.com',
  version: 'v1beta1',
  kind: 'RabbitmqCluster',
  spec: z.object({
    replicas: z.int32().min(0).default(2),
    storage: sizeSchema.check(noShrink).default('1Gi'),
  }),
  conditions: ['Ready'],
})
type RabbitmqCluster = InferResource<typeof RabbitmqCluster>

/** What differs between the program and the twin of M12. */
interface Approach {
  readOwner(tools: Tools, key: ObjectKey): Promise<RabbitmqCluster | undefined>
  /** Whether the StatefulSet must be replaced, because its template has another size. */
  mustReplace(sizes: { readonly present: number; readonly desired: number }): boolean
}

/** The sizes are compared, in no direction, with a cluster from the cache. */
const ifDifferent: Approach = {
  readOwner: async ({ cache }, key) => cache.get(RabbitmqCluster, key),
  mustReplace: ({ present, desired }) => present !== desired,
}

/** The fix: only a larger size counts, and the cluster is read from the API server. */
export const ifLarger: Approach = {
  readOwner: async ({ client }, key) => client.find(RabbitmqCluster, key),
  mustReplace: ({ present, desired }) => present < desired,
}

/** The operator of M12. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: RabbitmqCluster,
    owns: [StatefulSet],
    watches: [{ kind: PersistentVolumeClaim, keysOf: appKeys }],
    reconcile: async (key, tools) => {
      const cluster = await approach.readOwner(tools, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const { replicas, storage } = cluster.spec
      await growClaims(tools, cluster)
      const object = await tools.client.find(StatefulSet, keyOf(cluster))
      if (object !== undefined && isOwnedBy(object, cluster)) {
        const desired = gibibytes(storage)
        if (approach.mustReplace({ present: templateSize(object), desired })) {
          await deleteExactly(tools.client, StatefulSet, { object, propagation: 'Orphan' })
          return
        }
      }
      const manifest = memberSet(RabbitmqCluster, cluster, { replicas, storage })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, RabbitmqCluster, { object: cluster, ...verdictOfSet(set) })
    },
  })

async function growClaims({ cache, client }: Tools, { metadata, spec }: RabbitmqCluster) {
  const { namespace, name } = metadata
  for (const claim of cache.list(PersistentVolumeClaim, { namespace, labels: { app: name } })) {
    const { deletionTimestamp, uid, resourceVersion } = claim.metadata
    const size = gibibytes(claim.spec.resources?.requests?.['storage'])
    if (deletionTimestamp !== undefined || size >= gibibytes(spec.storage)) continue
    await client.patch(PersistentVolumeClaim, claim.metadata, {
      merge: {
        metadata: { uid, resourceVersion },
        spec: { resources: { requests: { storage: spec.storage } } },
      },
    })
  }
}

function templateSize({ spec }: StatefulSet): number {
  return gibibytes(spec.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.['storage'])
}

export const resizeInAnyDirection: Model = {
  id: 'M12',
  from: 'rabbitmq/cluster-operator#653',
  summary: 'Any difference in size replaces the StatefulSet, even one to an old and smaller size.',
  resource: RabbitmqCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2, storage: '1Gi' } },
  program: operatorWith(ifDifferent),
  twin: operatorWith(ifLarger),
  mustFire: ['O4', 'O3'],
}
