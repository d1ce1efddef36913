import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import type { Client } from 'setpoint/client'
import { ConfigMap, Pod } from 'setpoint/kinds'
import { isDeepStrictEqual } from 'node:util'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { childMetadata, keyOf, memberPod } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'

const NifiCluster = defineResource({
  group: 'nifi.example.com',
  version: 'v1',
  kind: 'NifiCluster',
  spec: z.object({
    nodes: z.int32().min(0).default(2),
    properties: z.record(z.string(), z.string()).default({}),
  }),
  /** For each node whether it runs the configuration: `InSync` or `OutOfSync`. */
  status: z.object({ nodes: z.record(z.string(), z.string()).optional() }),
  conditions: ['Ready'],
})
type NifiCluster = InferResource<typeof NifiCluster>

const configAnnotation = 'nifi.example.com/config'

/** How M03 finds and restarts the pods that need another configuration. */
interface Approach {
  /** Writes the configuration, and returns the cluster with what the status says about it. */
  writeConfig(tools: Tools, cluster: NifiCluster): Promise<NifiCluster>
  isOutdated(pod: Pod, cluster: NifiCluster): boolean
  /** The annotations of a new pod. */
  annotationsOf(cluster: NifiCluster): Readonly<Record<string, string>>
  /** Deletes a pod; by default exactly the one that was read. */
  readonly deletePod?: (client: Client, pod: Pod) => Promise<void>
}

/** A changed ConfigMap marks the nodes afterwards, in the status. */
const markAfterwards: Approach = {
  writeConfig: async (tools, cluster) => {
    const before = tools.cache.get(ConfigMap, keyOf(cluster, `${cluster.metadata.name}-config`))
    const after = await createOrUpdate(tools, ConfigMap, configMap(cluster))
    const isChanged = before !== undefined && !isDeepStrictEqual(before.data, after.data)
    if (!isChanged) return cluster
    const names = Object.keys(cluster.status?.nodes ?? {})
    const nodes = Object.fromEntries(names.map((name) => [name, 'OutOfSync']))
    return setStatus(tools, NifiCluster, { object: cluster, ...verdict({ nodes, ready: 0 }) })
  },
  isOutdated: ({ metadata: { name } }, { status }) => status?.nodes?.[name] === 'OutOfSync',
  annotationsOf: () => ({}),
}

/** The fix: a pod names the configuration that it was started with. */
export const compareWithPods: Approach = {
  writeConfig: async (tools, cluster) => {
    await createOrUpdate(tools, ConfigMap, configMap(cluster))
    return cluster
  },
  isOutdated: ({ metadata }, cluster) =>
    metadata.annotations?.[configAnnotation] !== configOf(cluster),
  annotationsOf: (cluster) => ({ [configAnnotation]: configOf(cluster) }),
}

/** The operator of M03. */
export const operatorWith = (approach: Approach) => (process: ProcessContext) =>
  startController({
    ...process,
    for: NifiCluster,
    owns: [ConfigMap, Pod],
    reconcile: async (key, tools) => {
      const found = await tools.client.find(NifiCluster, key)
      if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
      const cluster = await approach.writeConfig(tools, found)
      const progress = await reconcileNodes(tools, cluster, approach)
      await setStatus(tools, NifiCluster, { object: cluster, ...verdict(progress, cluster) })
    },
  })

interface Progress {
  readonly nodes: Readonly<Record<string, string>>
  readonly ready: number
}

/** Creates missing nodes, restarts outdated ones, and removes the others. */
async function reconcileNodes(
  { client, cache }: Tools,
  cluster: NifiCluster,
  approach: Approach,
): Promise<Progress> {
  const { name, namespace } = cluster.metadata
  const nodes: Record<string, string> = {}
  const deletePod = approach.deletePod ?? deleteReadPod
  let ready = 0
  for (let index = 0; index < cluster.spec.nodes; index += 1) {
    const node = `${name}-node-${index}`
    const pod = cache.get(Pod, { namespace, name: node })
    nodes[node] = 'InSync'
    if (pod === undefined) {
      const annotations = approach.annotationsOf(cluster)
      await client.create(Pod, memberPod(NifiCluster, cluster, { name: node, annotations }))
    } else if (approach.isOutdated(pod, cluster)) {
      nodes[node] = 'OutOfSync'
      await deletePod(client, pod)
    } else if (Pod.isReady(pod)) ready += 1
  }
  for (const pod of cache.list(Pod, { namespace, labels: { app: name } })) {
    if (!(pod.metadata.name in nodes)) await deletePod(client, pod)
  }
  return { nodes, ready }
}

async function deleteReadPod(client: Client, pod: Pod): Promise<void> {
  await deleteExactly(client, Pod, { object: pod })
}

function verdict({ nodes, ready }: Progress, cluster?: NifiCluster) {
  const isReady = ready === cluster?.spec.nodes
  const message = `${ready} nodes are ready and in sync`
  return { isReady, reason: isReady ? 'InSync' : 'Progressing', message, fields: { nodes } }
}

function configOf({ spec }: NifiCluster): string {
  return JSON.stringify(Object.entries(spec.properties).sort())
}

function configMap(cluster: NifiCluster) {
  const metadata = childMetadata(NifiCluster, cluster, `${cluster.metadata.name}-config`)
  return { metadata, data: cluster.spec.properties }
}

export const restartFlagAfterConfig: Model = {
  id: 'M03',
  from: 'nifikop#49',
  summary: 'The configuration is written before the status says that pods must be restarted.',
  resource: NifiCluster,
  sample: { metadata: { name: 'oak' }, spec: { nodes: 2, properties: { port: '8080' } } },
  program: operatorWith(markAfterwards),
  twin: operatorWith(compareWithPods),
  mustFire: ['O3', 'O6'],
}
