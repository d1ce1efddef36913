import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Deployment, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'

const RedisCluster = defineResource({
  group: 'redis.example.com',
  version: 'v1beta1',
  kind: 'RedisCluster',
  spec: z.object({
    size: z.int32().min(0).default(2),
    exporter: z.object({ enabled: z.boolean().default(false) }).default({ enabled: false }),
  }),
  conditions: ['Ready'],
})
type RedisCluster = InferResource<typeof RedisCluster>

/** What happens to the exporter when it is switched off. */
type WhenOff = (tools: Tools, cluster: RedisCluster) => Promise<void>

const doNothing: WhenOff = async () => undefined

/** The fix: what is no longer demanded is removed. */
export const prune: WhenOff = async ({ client }, cluster) => {
  const object = await client.find(Deployment, keyOf(cluster, exporterName(cluster)))
  if (object === undefined || !isOwnedBy(object, cluster)) return
  await deleteExactly(client, Deployment, { object })
}

type WhenOn = (cluster: RedisCluster) => void

/** The operator of M26. */
export const operatorWith =
  (whenOff: WhenOff, whenOn: WhenOn = () => undefined) =>
  (process: ProcessContext) =>
    startController({
      ...process,
      for: RedisCluster,
      owns: [Deployment, StatefulSet],
      reconcile: async (key, tools) => {
        const cluster = await tools.client.find(RedisCluster, key)
        if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
        const { size, exporter } = cluster.spec
        if (exporter.enabled) {
          whenOn(cluster)
          await createOrUpdate(tools, Deployment, exporterOf(cluster))
        } else await whenOff(tools, cluster)
        const manifest = memberSet(RedisCluster, cluster, { replicas: size })
        const set = await createOrUpdate(tools, StatefulSet, manifest)
        await setStatus(tools, RedisCluster, { object: cluster, ...verdictOfSet(set) })
      },
    })

function exporterName({ metadata: { name } }: RedisCluster): string {
  return `${name}-exporter`
}

function exporterOf(cluster: RedisCluster) {
  const labels = { exporter: cluster.metadata.name }
  return {
    metadata: childMetadata(RedisCluster, cluster, exporterName(cluster)),
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'exporter', image: 'redis-exporter:1.44' }] },
      },
    },
  }
}

export const neverPruned: Model = {
  id: 'M26',
  from: 'knative-operator#1157, redis-operator#474, PSMDB-895',
  summary: 'A component that is switched off stays.',
  resource: RedisCluster,
  sample: { metadata: { name: 'oak' }, spec: { size: 2, exporter: { enabled: false } } },
  program: operatorWith(doNothing),
  twin: operatorWith(prune),
  mustFire: ['O13', 'O5'],
}
