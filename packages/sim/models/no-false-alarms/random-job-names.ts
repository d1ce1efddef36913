import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Job } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { childMetadata } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'
import type { NoAlarm } from './no-alarm.ts'

const Import = defineResource({
  group: 'imports.example.com',
  version: 'v1',
  kind: 'Import',
  spec: z.object({ source: z.string().min(1).default('bucket-1') }),
  /** The generation whose Job has finished. */
  status: z.object({ importedGeneration: z.int32().optional() }),
  conditions: ['Ready'],
})
type Import = InferResource<typeof Import>

const generationLabel = 'imports.example.com/generation'
const keepSeconds = 300

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Import,
    owns: [Job],
    reconcile: async (key, tools) => {
      const object = await tools.client.find(Import, key)
      if (object === undefined || object.metadata.deletionTimestamp !== undefined) return
      const { generation } = object.metadata
      if (object.status?.importedGeneration === generation) return
      const { client } = tools
      const labelSelector = { app: key.name, [generationLabel]: String(generation) }
      const jobs = await client.listAll(Job, { namespace: key.namespace, labelSelector })
      const own = jobs.filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid),
      )
      if (own.length === 0) await createJob(tools, object)
      const isDone = own.some(({ status }) => (status?.succeeded ?? 0) > 0)
      await setStatus(tools, Import, {
        object,
        isReady: isDone,
        reason: isDone ? 'Imported' : 'Importing',
        message: isDone ? 'the import is done' : 'the import runs',
        fields: isDone ? { importedGeneration: generation } : {},
      })
    },
  })

/** A Job for each generation. Its name is random; it is removed some minutes after it finished. */
async function createJob({ client, host }: Tools, object: Import): Promise<void> {
  const { name, generation } = object.metadata
  const metadata = childMetadata(Import, object, `${name}-${host.uuid().slice(0, 6)}`)
  const labels = { ...metadata.labels, [generationLabel]: String(generation) }
  await client.create(Job, {
    metadata: { ...metadata, labels },
    spec: {
      ttlSecondsAfterFinished: keepSeconds,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'import', image: 'import:1.0', args: [object.spec.source] }],
        },
      },
    },
  })
}

export const randomJobNames: NoAlarm = {
  id: 'N04',
  summary: 'Each change starts a Job with a random name, which is removed after it finished.',
  resource: Import,
  sample: { metadata: { name: 'oak' }, spec: { source: 'bucket-1' } },
  program,
  declares: { shortLived: 'finished Jobs are removed by the TTL controller' },
}
