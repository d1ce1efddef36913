import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { gibibytes, sizeSchema } from '../support/gibibytes.ts'
import { keyOf, memberSet } from '../support/member-set.ts'
import { type Result, startController, type Tools } from '../support/start-controller.ts'
import { setStatus, type Verdict, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'

const ZookeeperCluster = defineResource({
  group: 'zookeeper.example.com',
  version: 'v1beta1',
  kind: 'ZookeeperCluster',
  spec: z.object({ replicas: z.int32().min(0).default(2), storage: sizeSchema.default('1Gi') }),
  conditions: ['Ready'],
})
type ZookeeperCluster = InferResource<typeof ZookeeperCluster>

interface Outcome extends Result {
  readonly verdict: Verdict
}

/** Writes the StatefulSet. Its claim template cannot be changed. */
type EnsureSet = (
  tools: Tools,
  cluster: ZookeeperCluster,
  present?: StatefulSet,
) => Promise<Outcome>

/** A refusal of the API server is logged, and the status is that of the members. */
const logErrors: EnsureSet = async (tools, cluster, present) => {
  const { replicas, storage } = cluster.spec
  const manifest = memberSet(ZookeeperCluster, cluster, { replicas, storage })
  try {
    const set = await createOrUpdate(tools, StatefulSet, manifest)
    return { verdict: verdictOfSet(set) }
  } catch (error) {
    tools.host.log(`cannot update the StatefulSet: ${String(error)}`)
    return { verdict: verdictOfSet(present), requeueAfterMs: 10_000 }
  }
}

/** The fix: a size that cannot be reached is not tried, and the status refuses it. */
export const refuse: EnsureSet = async (tools, cluster, present) => {
  const { replicas, storage: demanded } = cluster.spec
  const size = present === undefined ? gibibytes(demanded) : templateSize(present)
  const manifest = memberSet(ZookeeperCluster, cluster, { replicas, storage: `${size}Gi` })
  const set = await createOrUpdate(tools, StatefulSet, manifest)
  if (size === gibibytes(demanded)) return { verdict: verdictOfSet(set) }
  const message = `volumes of ${size}Gi cannot be changed to ${demanded}`
  return { verdict: { isReady: false, reason: 'StorageChangeRefused', message } }
}

/** The operator of M29. */
export const operatorWith = (ensureSet: EnsureSet) => (process: ProcessContext) =>
  startController({
    ...process,
    for: ZookeeperCluster,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(ZookeeperCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return {}
      const live = await tools.client.find(StatefulSet, keyOf(cluster))
      const isOurs = live !== undefined && isOwnedBy(live, cluster)
      const { verdict, ...result } = await ensureSet(tools, cluster, isOurs ? live : undefined)
      await setStatus(tools, ZookeeperCluster, { object: cluster, ...verdict })
      return result
    },
  })

function templateSize({ spec }: StatefulSet): number {
  return gibibytes(spec.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.['storage'])
}

export const silentRefusal: Model = {
  id: 'M29',
  from: 'zookeeper-operator#540, rabbitmq#992, Anvil (e)',
  summary: 'A change that the API server always refuses is only logged, and the status says Ready.',
  resource: ZookeeperCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2, storage: '1Gi' } },
  program: operatorWith(logErrors),
  twin: operatorWith(refuse),
  mustFire: ['O18', 'O6'],
}
