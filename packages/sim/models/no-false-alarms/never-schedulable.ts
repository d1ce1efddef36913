import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { NoAlarm } from './no-alarm.ts'

const Trainer = defineResource({
  group: 'trainers.example.com',
  version: 'v1',
  kind: 'Trainer',
  spec: z.object({
    workers: z.int32().min(0).default(2),
    nodeSelector: z.record(z.string(), z.string()).default({}),
  }),
  conditions: ['Ready'],
})

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Trainer,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const trainer = await tools.client.find(Trainer, key)
      if (trainer === undefined || trainer.metadata.deletionTimestamp !== undefined) return
      const { workers: replicas, nodeSelector } = trainer.spec
      const manifest = memberSet(Trainer, trainer, { replicas, nodeSelector })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      await setStatus(tools, Trainer, { object: trainer, ...verdictOfSet(set) })
    },
  })

export const neverSchedulable: NoAlarm = {
  id: 'N10',
  summary: 'The pods fit on no node, and the status says without end that they are not ready.',
  resource: Trainer,
  sample: {
    metadata: { name: 'oak' },
    spec: { workers: 2, nodeSelector: { accelerator: 'none-has-it' } },
  },
  program,
}
