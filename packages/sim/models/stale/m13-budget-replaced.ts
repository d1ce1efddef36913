import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { PodDisruptionBudget, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createIfMissing, createOrUpdate } from '../support/create-or-update.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { ObjectKey } from '../support/stored-object.ts'

const CassandraCluster = defineResource({
  group: 'casskop.example.com',
  version: 'v2',
  kind: 'CassandraCluster',
  spec: z.object({
    nodes: z.int32().min(0).default(3),
    maxUnavailable: z.int32().min(0).default(1),
  }),
  conditions: ['Ready'],
})
type CassandraCluster = InferResource<typeof CassandraCluster>
type Budget = ReturnType<typeof budgetOf>

/** What differs between the program and the twin of M13. */
interface Approach {
  readOwner(tools: Tools, key: ObjectKey): Promise<CassandraCluster | undefined>
  ensureBudget(tools: Tools, budget: Budget): Promise<void>
}

/** A budget that differs is deleted and created. */
const replace: Approach = {
  readOwner: async ({ cache }, key) => cache.get(CassandraCluster, key),
  ensureBudget: async (tools, budget) => {
    const present = tools.cache.get(PodDisruptionBudget, budget.metadata)
    if (present !== undefined && present.spec.maxUnavailable !== budget.spec.maxUnavailable) {
      await tools.client.delete(PodDisruptionBudget, present.metadata)
      await tools.client.create(PodDisruptionBudget, budget)
    } else await createIfMissing(tools, PodDisruptionBudget, budget)
  },
}

/** The fix: the budget is changed, and the cluster is read from the API server. */
export const changeInPlace: Approach = {
  readOwner: async ({ client }, key) => client.find(CassandraCluster, key),
  ensureBudget: async (tools, budget) => {
    await createOrUpdate(tools, PodDisruptionBudget, budget)
  },
}

/** The operator of M13. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: CassandraCluster,
    owns: [StatefulSet, PodDisruptionBudget],
    reconcile: async (key, tools) => {
      const cluster = await approach.readOwner(tools, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      await approach.ensureBudget(tools, budgetOf(cluster))
      const { nodes } = cluster.spec
      const manifest = memberSet(CassandraCluster, cluster, { replicas: nodes })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, CassandraCluster, { object: cluster, ...verdictOfSet(set) })
    },
  })

function budgetOf(cluster: CassandraCluster) {
  return {
    metadata: childMetadata(CassandraCluster, cluster, keyOf(cluster).name),
    spec: {
      maxUnavailable: cluster.spec.maxUnavailable,
      selector: { matchLabels: { app: cluster.metadata.name } },
    },
  }
}

export const budgetReplaced: Model = {
  id: 'M13',
  from: 'casskop#321, elastic/cloud-on-k8s#5274',
  summary: 'A PodDisruptionBudget that differs from an old spec is deleted and created.',
  resource: CassandraCluster,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 3, maxUnavailable: 1 } },
  program: operatorWith(replace),
  twin: operatorWith(changeInPlace),
  mustFire: ['O4', 'O3'],
}
