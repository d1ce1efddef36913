import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Pod } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { memberPod } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'

const RayCluster = defineResource({
  group: 'ray.example.com',
  version: 'v1alpha1',
  kind: 'RayCluster',
  spec: z.object({ workers: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})
type RayCluster = InferResource<typeof RayCluster>

/** Brings the workers to the desired number. */
type ScaleWorkers = (tools: Tools, cluster: RayCluster, pods: readonly Pod[]) => Promise<void>

/** As many pods are created as the cache lacks, each with a new name. */
const byCount: ScaleWorkers = async (tools, cluster, pods) => {
  for (let missing = cluster.spec.workers - pods.length; missing > 0; missing -= 1) {
    await createWorker(tools, cluster, tools.host.uuid().slice(0, 5))
  }
  for (const object of byName(pods).slice(cluster.spec.workers)) {
    await deleteExactly(tools.client, Pod, { object })
  }
}

/** The fix: names are numbered, so that the API server refuses a second pod. */
const byNumber: ScaleWorkers = async (tools, cluster, pods) => {
  const names = new Set<string>()
  for (let index = 0; index < cluster.spec.workers; index += 1) {
    const name = workerName(cluster, String(index))
    names.add(name)
    const isPresent = pods.some(({ metadata }) => metadata.name === name)
    if (!isPresent) await createWorker(tools, cluster, String(index))
  }
  for (const object of pods) {
    if (!names.has(object.metadata.name)) await deleteExactly(tools.client, Pod, { object })
  }
}

const operatorWith = (scaleWorkers: ScaleWorkers) => (process: ProcessContext) =>
  startController({
    ...process,
    for: RayCluster,
    owns: [Pod],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(RayCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      const pods = tools.cache
        .list(Pod, { namespace: key.namespace, labels: { app: key.name } })
        .filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === cluster.metadata.uid)
      await scaleWorkers(tools, cluster, pods)
      const ready = pods.filter((pod) => Pod.isReady(pod)).length
      const isReady = ready === cluster.spec.workers && pods.length === ready
      const reason = isReady ? 'AllReady' : 'Progressing'
      const message = `${ready} workers are ready`
      await setStatus(tools, RayCluster, { object: cluster, isReady, reason, message })
    },
  })

async function createWorker({ client }: Tools, cluster: RayCluster, suffix: string) {
  const name = workerName(cluster, suffix)
  await client.create(Pod, memberPod(RayCluster, cluster, { name }))
}

function workerName({ metadata: { name } }: RayCluster, suffix: string): string {
  return `${name}-worker-${suffix}`
}

function byName(pods: readonly Pod[]): Pod[] {
  return [...pods].sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1))
}

export const randomPodNames: Model = {
  id: 'M17',
  from: 'kuberay#715',
  summary: 'Missing pods are counted in the cache and created with random names.',
  resource: RayCluster,
  sample: { metadata: { name: 'oak' }, spec: { workers: 2 } },
  program: operatorWith(byCount),
  twin: operatorWith(byNumber),
  mustFire: ['O3', 'O8'],
}
