import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { appKeys, claimName, keyOf, memberSet, ordinalOf } from '../support/member-set.ts'
import { type Result, startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const CassandraCluster = defineResource({
  group: 'casskop.example.com',
  version: 'v2',
  kind: 'CassandraCluster',
  spec: z.object({ nodes: z.int32().min(1).default(3) }),
  /** The decommission of a pod: first it streams its data away, then it is removed. */
  status: z.object({
    operation: z
      .object({ pod: z.string(), state: z.enum(['Ongoing', 'Finalizing']), since: z.string() })
      .optional(),
  }),
  conditions: ['Ready'],
})
type CassandraCluster = InferResource<typeof CassandraCluster>
type Operation = NonNullable<NonNullable<CassandraCluster['status']>['operation']>

/** Removes the pod of a finished decommission from the StatefulSet, and notes `Finalizing`. */
type Finalize = (tools: Tools, cluster: CassandraCluster, operation: Operation) => Promise<void>

/** The state is changed in memory, and stored after the effect. */
const persistLast: Finalize = async (tools, cluster, operation) => {
  const pod = await tools.client.find(Pod, keyOf(cluster, operation.pod))
  if (pod === undefined) throw new Error(`pod ${operation.pod} was not found`)
  await scaleTo(tools, cluster, ordinalOf(operation.pod))
  await note(tools, cluster, { ...operation, state: 'Finalizing' })
}

/** The fix: the state is stored before the effect, and a pod that is gone is a success. */
const persistFirst: Finalize = async (tools, cluster, operation) => {
  const next = await note(tools, cluster, { ...operation, state: 'Finalizing' })
  await scaleTo(tools, next, ordinalOf(operation.pod))
}

/** The operator of M06. */
export const operatorWith = (finalize: Finalize) => (process: ProcessContext) =>
  startController({
    ...process,
    for: CassandraCluster,
    owns: [StatefulSet],
    watches: [{ kind: Pod, keysOf: appKeys }],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(CassandraCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return {}
      const operation = cluster.status?.operation
      if (operation === undefined) return reconcileSize(tools, cluster)
      const dueMs = Date.parse(operation.since) + streamMs - process.host.now()
      if (operation.state === 'Finalizing') await removeClaim(tools, cluster, operation)
      else if (dueMs > 0) return { requeueAfterMs: dueMs }
      else await finalize(tools, cluster, operation)
      return {}
    },
  })

/** How long a node streams its data to the others. */
const streamMs = 15_000

async function reconcileSize(tools: Tools, cluster: CassandraCluster): Promise<Result> {
  const { client, host } = tools
  const { nodes } = cluster.spec
  const set = await client.find(StatefulSet, keyOf(cluster))
  const replicas = set?.spec.replicas ?? 0
  if (set === undefined) {
    const options = { replicas: nodes, storage: '1Gi', claims: { whenScaled: 'Retain' } as const }
    await client.create(StatefulSet, memberSet(CassandraCluster, cluster, options))
  } else if (set.metadata.ownerReferences?.[0]?.uid !== cluster.metadata.uid) {
    throw new Error('the StatefulSet belongs to another owner')
  } else if (replicas < nodes) {
    await client.replace(StatefulSet, { ...set, spec: { ...set.spec, replicas: nodes } })
  } else if (replicas > nodes) {
    const since = new Date(host.now()).toISOString()
    const pod = `${cluster.metadata.name}-${replicas - 1}`
    await note(tools, cluster, { pod, state: 'Ongoing', since })
    return { requeueAfterMs: streamMs }
  } else await setStatus(tools, CassandraCluster, { object: cluster, ...verdictOfSet(set) })
  return {}
}

/** Reduces the StatefulSet. */
export async function scaleTo(
  tools: Tools,
  cluster: CassandraCluster,
  replicas: number,
): Promise<void> {
  const set = await tools.client.get(StatefulSet, keyOf(cluster))
  if ((set.spec.replicas ?? 1) <= replicas) return
  await tools.client.replace(StatefulSet, { ...set, spec: { ...set.spec, replicas } })
}

/** Deletes the claim of a decommissioned pod as soon as the pod is gone. */
async function removeClaim(tools: Tools, cluster: CassandraCluster, operation: Operation) {
  const ordinal = ordinalOf(operation.pod)
  await scaleTo(tools, cluster, ordinal)
  if ((await tools.client.find(Pod, keyOf(cluster, operation.pod))) !== undefined) return
  const place = keyOf(cluster, claimName(cluster.metadata.name, ordinal))
  const claim = await tools.client.find(PersistentVolumeClaim, place)
  if (claim !== undefined) {
    const { uid } = claim.metadata
    await tools.client.delete(PersistentVolumeClaim, place, { preconditions: { uid } })
  }
  await note(tools, cluster, undefined)
}

function note(tools: Tools, cluster: CassandraCluster, operation: Operation | undefined) {
  return setStatus(tools, CassandraCluster, {
    object: cluster,
    isReady: false,
    reason: 'Decommissioning',
    message: operation === undefined ? 'done' : `${operation.pod} is ${operation.state}`,
    fields: { operation },
  })
}

export const phasePersistedLast: Model = {
  id: 'M06',
  from: 'casskop#370',
  summary: 'The phase of a decommission is stored after its effect, and a missing pod is an error.',
  resource: CassandraCluster,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 3 } },
  program: operatorWith(persistLast),
  twin: operatorWith(persistFirst),
  mustFire: ['O1', 'O5', 'O18'],
}
