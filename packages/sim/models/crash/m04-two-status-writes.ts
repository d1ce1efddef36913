import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { keyOf, memberPod, ordinalOf } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'

const NifiCluster = defineResource({
  group: 'nifi.example.com',
  version: 'v1',
  kind: 'NifiCluster',
  spec: z.object({ nodes: z.int32().min(0).default(2) }),
  status: z.object({
    nodes: z
      .record(
        z.string(),
        z.object({ config: z.string().optional(), action: z.string().optional() }),
      )
      .optional(),
  }),
  conditions: ['Ready'],
})
type NifiCluster = InferResource<typeof NifiCluster>
type Nodes = NonNullable<NonNullable<NifiCluster['status']>['nodes']>

interface Approach {
  /** Records a node that was created. */
  recordNode(tools: Tools, cluster: NifiCluster, node: string): Promise<NifiCluster>
  /** The nodes which a scale-down may remove. */
  removableNodes(tools: Tools, cluster: NifiCluster): string[]
}

/** The state of a node is written in two steps, and only the second makes it removable. */
const twoWrites: Approach = {
  recordNode: async (tools, cluster, node) => {
    const first: Nodes = { ...cluster.status?.nodes, [node]: { config: 'InSync' } }
    const half = await record(tools, cluster, first)
    return record(tools, half, { ...first, [node]: { config: 'InSync', action: 'Succeeded' } })
  },
  removableNodes: (_, { status }) =>
    Object.entries(status?.nodes ?? {}).flatMap(([node, { action }]) =>
      action === 'Succeeded' ? [node] : [],
    ),
}

/** The fix: the state follows from the pods, and is written once. */
const derivedFromPods: Approach = {
  recordNode: async (_, cluster) => cluster,
  removableNodes: (tools, cluster) => podsOf(tools, cluster).map(({ metadata }) => metadata.name),
}

const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: NifiCluster,
    owns: [Pod],
    reconcile: async (key, tools) => {
      let cluster = await tools.client.find(NifiCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const { nodes } = cluster.spec
      for (let index = 0; index < nodes; index += 1) {
        const name = `${key.name}-${index}`
        if (tools.cache.get(Pod, keyOf(cluster, name)) !== undefined) continue
        await tools.client.create(Pod, memberPod(NifiCluster, cluster, { name }))
        cluster = await approach.recordNode(tools, cluster, name)
      }
      for (const name of approach.removableNodes(tools, cluster)) {
        const pod = tools.cache.get(Pod, keyOf(cluster, name))
        if (ordinalOf(name) < nodes || pod === undefined) continue
        await deleteExactly(tools.client, Pod, { object: pod })
      }
      await record(tools, cluster, currentNodes(tools, cluster, approach))
    },
  })

/** What the status says about the nodes whose pods exist. */
function currentNodes(tools: Tools, cluster: NifiCluster, approach: Approach): Nodes {
  const done = { config: 'InSync', action: 'Succeeded' }
  const pods = podsOf(tools, cluster).map(({ metadata }) => metadata.name)
  if (approach === derivedFromPods) return Object.fromEntries(pods.map((name) => [name, done]))
  const known = Object.entries(cluster.status?.nodes ?? {})
  return Object.fromEntries(
    known.filter(([name]) => ordinalOf(name) < cluster.spec.nodes || pods.includes(name)),
  )
}

async function record(tools: Tools, cluster: NifiCluster, nodes: Nodes): Promise<NifiCluster> {
  const pods = podsOf(tools, cluster)
  const ready = pods.filter((pod) => Pod.isReady(pod)).length
  const isReady = ready === cluster.spec.nodes && pods.length === ready
  return setStatus(tools, NifiCluster, {
    object: cluster,
    isReady,
    reason: isReady ? 'AllReady' : 'Progressing',
    message: `${ready} nodes are ready`,
    fields: { nodes },
  })
}

function podsOf({ cache }: Tools, { metadata: { namespace, name } }: NifiCluster) {
  return cache.list(Pod, { namespace, labels: { app: name } })
}

export const twoStatusWrites: Model = {
  id: 'M04',
  from: 'nifikop#79',
  summary: 'The status of a new node is written in two steps, and scale-down needs the second.',
  resource: NifiCluster,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 2 } },
  program: operatorWith(twoWrites),
  twin: operatorWith(derivedFromPods),
  mustFire: ['O1', 'O2'],
}
