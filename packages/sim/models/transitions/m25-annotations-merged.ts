import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Service, StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { Model } from '../model.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { childMetadata, keyOf, memberSet } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'

const RabbitmqCluster = defineResource({
  group: 'rabbitmq.example.com',
  version: 'v1beta1',
  kind: 'RabbitmqCluster',
  spec: z.object({
    replicas: z.int32().min(0).default(1),
    service: z
      .object({ annotations: z.record(z.string(), z.string()).default({}) })
      .default({ annotations: {} }),
  }),
  conditions: ['Ready'],
})
type RabbitmqCluster = InferResource<typeof RabbitmqCluster>
type Annotations = Readonly<Record<string, string>>

/** The annotations of the Service: those that others have set stay. */
type AnnotationsOf = (present: Annotations, demanded: Annotations) => Annotations

/** The demanded ones are spread over the present ones, so none is ever removed. */
const spread: AnnotationsOf = (present, demanded) => ({ ...present, ...demanded })

/** The annotation with the names of the annotations that the operator has set. */
const ownedAnnotation = 'rabbitmq.example.com/owned-annotations'

/** The fix: those that the operator has set before and that are no longer demanded are removed. */
const replaceOwned: AnnotationsOf = (present, demanded) => {
  const owned = (present[ownedAnnotation] ?? '').split(',')
  const others = Object.entries(present).filter(([name]) => !owned.includes(name))
  const names = Object.keys(demanded).sort().join(',')
  return { ...Object.fromEntries(others), ...demanded, [ownedAnnotation]: names }
}

const operatorWith = (annotationsOf: AnnotationsOf) => (process: ProcessContext) =>
  startController({
    ...process,
    for: RabbitmqCluster,
    owns: [Service, StatefulSet],
    reconcile: async (key, tools) => {
      const cluster = await tools.client.find(RabbitmqCluster, key)
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return
      await ensureService(tools, cluster, annotationsOf)
      const { replicas } = cluster.spec
      const manifest = memberSet(RabbitmqCluster, cluster, { replicas })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, RabbitmqCluster, { object: cluster, ...verdictOfSet(set) })
    },
  })

async function ensureService(tools: Tools, cluster: RabbitmqCluster, annotationsOf: AnnotationsOf) {
  const service = await createOrUpdate(tools, Service, {
    metadata: childMetadata(RabbitmqCluster, cluster, keyOf(cluster).name),
    spec: { selector: { app: cluster.metadata.name }, ports: [{ port: 5672 }] },
  })
  const { annotations: present = {} } = service.metadata
  const annotations = annotationsOf(present, cluster.spec.service.annotations)
  const textOf = (some: Annotations) => JSON.stringify(Object.entries(some).sort())
  if (textOf(annotations) === textOf(present)) return
  await tools.client.replace(Service, {
    ...service,
    metadata: { ...service.metadata, annotations },
  })
}

export const annotationsMerged: Model = {
  id: 'M25',
  from: 'rabbitmq#968, PSMDB-696, PXC-1061, cass-operator#330, cockroach-operator#927',
  summary: 'Annotations of the Service are only ever added, never removed.',
  resource: RabbitmqCluster,
  sample: {
    metadata: { name: 'oak' },
    spec: { replicas: 1, service: { annotations: { team: 'a' } } },
  },
  program: operatorWith(spread),
  twin: operatorWith(replaceOwned),
  mustFire: ['O13', 'O14'],
}
