import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { keyOf, memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, type Verdict, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'

const RabbitmqCluster = defineResource({
  group: 'rabbitmq.example.com',
  version: 'v1beta1',
  kind: 'RabbitmqCluster',
  spec: z.object({ replicas: z.int32().min(0).default(1) }),
  conditions: ['Ready'],
})

/** What the status says when fewer replicas are demanded than there are. */
type VerdictOfDecrease = (set: StatefulSet, demanded: number) => Verdict

/** The demand is dropped, and the status is that of what exists. */
const sayNothing: VerdictOfDecrease = (set) => verdictOfSet(set)

/** The fix: the status refuses the demand. */
const refuse: VerdictOfDecrease = (set, demanded) => ({
  isReady: false,
  reason: 'ScaleDownRefused',
  message: `a cluster of ${set.spec.replicas ?? 1} replicas cannot be reduced to ${demanded}`,
})

const operatorWith = (verdictOfDecrease: VerdictOfDecrease) => (process: ProcessContext) =>
  startController({
    ...process,
    for: RabbitmqCluster,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(RabbitmqCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const { replicas: demanded } = cluster.spec
      const live = await tools.client.find(StatefulSet, keyOf(cluster))
      const present = live !== undefined && isOwnedBy(live, cluster) ? (live.spec.replicas ?? 1) : 0
      const replicas = Math.max(present, demanded)
      const set = await createOrUpdate(
        tools,
        StatefulSet,
        memberSet(RabbitmqCluster, cluster, { replicas }),
      )
      const verdict = demanded < present ? verdictOfDecrease(set, demanded) : verdictOfSet(set)
      await setStatus(tools, RabbitmqCluster, { object: cluster, ...verdict })
    },
  })

export const decreaseIgnored: Model = {
  id: 'M20',
  from: 'rabbitmq/cluster-operator#758',
  summary: 'A decrease is ignored without a word, so the size depends on what the operator saw.',
  resource: RabbitmqCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 1 } },
  program: operatorWith(sayNothing),
  twin: operatorWith(refuse),
  mustFire: ['O13', 'O2', 'O6'],
}
