import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Pod, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { appKeys, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const OpenSearchCluster = defineResource({
  group: 'opensearch.example.com',
  version: 'v1',
  kind: 'OpenSearchCluster',
  spec: z.object({
    nodes: z.int32().min(0).default(3),
    config: z.record(z.string(), z.string()).default({}),
  }),
  conditions: ['Ready'],
})
type OpenSearchCluster = InferResource<typeof OpenSearchCluster>

/** The pods by which the operator knows whether another one can be restarted now. */
type ReadPods = (tools: Tools, cluster: OpenSearchCluster) => Promise<readonly Pod[]>

/** The cache possibly does not know the latest deletion of a pod. */
const fromCache: ReadPods = async ({ cache }, { metadata: { namespace, name } }) =>
  cache.list(Pod, { namespace, labels: { app: name } })

/** The fix: the API server knows it. */
export const fromServer: ReadPods = async ({ client }, { metadata: { namespace, name } }) =>
  client.listAll(Pod, { namespace, labelSelector: { app: name } })

interface Options {
  /** Whether all pods must be ready before the next one is restarted. */
  readonly waits: boolean
}

/** The operator of M18. */
export const operatorWith =
  (readPods: ReadPods, { waits }: Options = { waits: true }) =>
  (process: ProcessContext) =>
    startController({
      ...process,
      for: OpenSearchCluster,
      owns: [StatefulSet],
      watches: [{ kind: Pod, keysOf: appKeys }],
      reconcile: async (key, tools) => {
        const cluster = await tools.client.find(OpenSearchCluster, key)
        if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
        const { nodes, config } = cluster.spec
        const manifest = memberSet(OpenSearchCluster, cluster, {
          replicas: nodes,
          templateAnnotations: { config: JSON.stringify(Object.entries(config).sort()) },
        })
        const set = await createOrUpdate(tools, StatefulSet, {
          ...manifest,
          spec: { ...manifest.spec, updateStrategy: { type: 'OnDelete' } },
        })
        const pods = await readPods(tools, cluster)
        const areAllReady = pods.length === nodes && pods.every((pod) => Pod.isReady(pod))
        if (areAllReady || !waits) await restartNext(tools, cluster, set)
        else await setStatus(tools, OpenSearchCluster, { object: cluster, ...verdictOfSet(set) })
      },
    })

/** Deletes the first pod that runs an old template. The StatefulSet controller creates it again. */
async function restartNext(tools: Tools, cluster: OpenSearchCluster, set: StatefulSet) {
  const isReported = set.status?.observedGeneration === set.metadata.generation
  const revision = set.status?.updateRevision
  for (let index = 0; isReported && index < cluster.spec.nodes; index += 1) {
    const object = await tools.client.find(Pod, keyOf(cluster, `${cluster.metadata.name}-${index}`))
    const isOutdated = object?.metadata.labels?.['controller-revision-hash'] !== revision
    if (object === undefined || !isOutdated || object.metadata.deletionTimestamp !== undefined)
      continue
    await deleteExactly(tools.client, Pod, { object })
    return
  }
  await setStatus(tools, OpenSearchCluster, { object: cluster, ...verdictOfSet(set) })
}

export const secondDisruption: Model = {
  id: 'M18',
  from: 'opensearch-k8s-operator#1471',
  summary:
    'A rolling restart deletes the next pod while the cache still shows the last one as ready.',
  resource: OpenSearchCluster,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 3, config: { 'node.attr': 'a' } } },
  program: operatorWith(fromCache),
  twin: operatorWith(fromServer),
  mustFire: ['O20', 'O4'],
}
