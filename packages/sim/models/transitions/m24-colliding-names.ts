import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrTakeOver } from '../support/create-or-update.ts'
import { memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { StoredObject } from '../support/stored-object.ts'

const MessageCluster = defineResource({
  group: 'messages.example.com',
  version: 'v1',
  kind: 'MessageCluster',
  spec: z.object({
    replicas: z.int32().min(0).default(1),
    nodes: z.int32().min(0).default(2),
  }),
  conditions: ['Ready'],
})

/** The names of the two StatefulSets of a cluster: the controllers, and the nodes. */
type NamesOf = (cluster: StoredObject) => { readonly controllers: string; readonly nodes: string }

/** The controllers of `foo-nodes` and the nodes of `foo` have one name. */
const withSuffix: NamesOf = ({ metadata: { name } }) => ({
  controllers: name,
  nodes: `${name}-nodes`,
})

/** The fix: names contain a part of the uid of the owner. */
const withUid: NamesOf = ({ metadata: { name, uid } }) => ({
  controllers: `${name}-${uid.slice(0, 8)}`,
  nodes: `${name}-nodes-${uid.slice(0, 8)}`,
})

/** The operator of M24. */
export const operatorWith = (namesOf: NamesOf) => (process: ProcessContext) =>
  startController({
    ...process,
    for: MessageCluster,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(MessageCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const names = namesOf(cluster)
      // It takes over what has its names, as it did before it set owner references.
      const ensure = (name: string, replicas: number) => {
        const manifest = memberSet(MessageCluster, cluster, { name, replicas })
        return createOrTakeOver(tools, StatefulSet, manifest)
      }
      const controllers = await ensure(names.controllers, cluster.spec.replicas)
      const nodes = await ensure(names.nodes, cluster.spec.nodes)
      const verdicts = [verdictOfSet(controllers), verdictOfSet(nodes)]
      const verdict = verdicts.find(({ isReady }) => !isReady) ?? verdictOfSet(nodes)
      await setStatus(tools, MessageCluster, { object: cluster, ...verdict })
    },
  })

export const collidingNames: Model = {
  id: 'M24',
  from: 'Anvil (d)',
  summary: 'Two objects derive the same name for a child, and fight for it.',
  resource: MessageCluster,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 1, nodes: 2 } },
  program: operatorWith(withSuffix),
  twin: operatorWith(withUid),
  mustFire: ['O19', 'O11', 'O7'],
}
