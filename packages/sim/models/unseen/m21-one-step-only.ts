import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { keyOf, memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'

const CassandraCluster = defineResource({
  group: 'casskop.example.com',
  version: 'v2',
  kind: 'CassandraCluster',
  spec: z.object({ nodes: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})

/** The next size on the way from the present one to a smaller one. One node leaves at a time. */
type NextSize = (present: number, demanded: number) => number

/** A demand that is not the next size is dropped. */
const onlyNextDemand: NextSize = (present, demanded) =>
  demanded === present - 1 ? demanded : present

/** The fix: any smaller size is reached step by step. */
const stepByStep: NextSize = (present) => present - 1

const operatorWith = (nextSize: NextSize) => (process: ProcessContext) =>
  startController({
    ...process,
    for: CassandraCluster,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(CassandraCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const { nodes: demanded } = cluster.spec
      const live = await tools.client.find(StatefulSet, keyOf(cluster))
      const isOurs = live !== undefined && isOwnedBy(live, cluster)
      const present = isOurs ? (live.spec.replicas ?? 1) : demanded
      // A step begins when the one before it is done.
      const hasLeft = (live?.status?.replicas ?? present) <= present
      const smaller = hasLeft ? nextSize(present, demanded) : present
      const replicas = demanded < present ? smaller : demanded
      const manifest = memberSet(CassandraCluster, cluster, { replicas })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, CassandraCluster, { object: cluster, ...verdictOfSet(set) })
    },
  })

export const oneStepOnly: Model = {
  id: 'M21',
  from: 'casskop#342',
  summary: 'A decrease by more than one is dropped, so it matters which sizes the operator saw.',
  resource: CassandraCluster,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 2 } },
  program: operatorWith(onlyNextDemand),
  twin: operatorWith(stepByStep),
  mustFire: ['O1', 'O13'],
}
