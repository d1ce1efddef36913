import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { keyOf, memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'
import type { NoAlarm } from './no-alarm.ts'

const Ledger = defineResource({
  group: 'ledgers.example.com',
  version: 'v1',
  kind: 'Ledger',
  spec: z.object({
    replicas: z.int32().min(0).default(2),
    release: z.int32().min(1).default(5),
  }),
  conditions: ['Ready'],
})

const releaseAnnotation = 'ledgers.example.com/release'

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Ledger,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const ledger = await tools.client.find(Ledger, key)
      if (ledger === undefined || ledger.metadata.deletionTimestamp !== undefined) return
      const { replicas, release: demanded } = ledger.spec
      const live = await tools.client.find(StatefulSet, keyOf(ledger))
      const isOurs = live !== undefined && isOwnedBy(live, ledger)
      const present = isOurs ? Number(live.metadata.annotations?.[releaseAnnotation] ?? 0) : 0
      // The data of a newer release cannot be read by an older one.
      const release = Math.max(present, demanded)
      const annotations = { [releaseAnnotation]: String(release) }
      const image = `ledger:${release}.0`
      const manifest = memberSet(Ledger, ledger, { replicas, image, annotations, storage: '1Gi' })
      const set = await createOrUpdate(tools, StatefulSet, manifest)
      const message = `release ${release} cannot be changed to ${demanded}`
      const refusal = { isReady: false, reason: 'DowngradeRefused', message }
      const verdict = demanded < release ? refusal : verdictOfSet(set)
      await setStatus(tools, Ledger, { object: ledger, ...verdict })
    },
  })

export const refusedDowngrade: NoAlarm = {
  id: 'N09',
  summary: 'A downgrade is refused, the status says so, and the release stays.',
  resource: Ledger,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2, release: 5 } },
  program,
}
