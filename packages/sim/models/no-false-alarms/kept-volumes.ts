import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { NoAlarm } from './no-alarm.ts'

const Archive = defineResource({
  group: 'archive.example.com',
  version: 'v1',
  kind: 'Archive',
  spec: z.object({ replicas: z.int32().min(0).default(2) }),
  conditions: ['Ready'],
})

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Archive,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const archive = await tools.client.find(Archive, key)
      if (archive === undefined || archive.metadata.deletionTimestamp !== undefined) return
      const manifest = memberSet(Archive, archive, {
        replicas: archive.spec.replicas,
        storage: '1Gi',
        claims: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, Archive, { object: archive, ...verdictOfSet(set) })
    },
  })

export const keptVolumes: NoAlarm = {
  id: 'N01',
  summary: 'The volumes stay after a scale-down and after a deletion, by a declared policy.',
  resource: Archive,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2 } },
  program,
  options: { retained: ['/persistentvolumeclaims', '/persistentvolumes'] },
}
