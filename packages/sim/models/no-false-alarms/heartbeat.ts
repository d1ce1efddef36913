import * as z from 'zod'
import { defineResource } from 'setpoint'
import { StatefulSet } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { memberSet } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus, verdictOfSet } from '../support/status.ts'
import type { NoAlarm } from './no-alarm.ts'

const Probe = defineResource({
  group: 'probes.example.com',
  version: 'v1',
  kind: 'Probe',
  spec: z.object({ replicas: z.int32().min(0).default(1) }),
  status: z.object({ lastHeartbeat: z.string().optional() }),
  conditions: ['Ready'],
})

const heartbeatMs = 30_000

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Probe,
    owns: [StatefulSet],
    reconcile: async (key, tools) => {
      const probe = await tools.client.find(Probe, key)
      if (probe === undefined || probe.metadata.deletionTimestamp !== undefined) return {}
      const { replicas } = probe.spec
      const set = await createOrUpdate(tools, StatefulSet, memberSet(Probe, probe, { replicas }))
      const nowMs = process.host.now()
      const last = probe.status?.lastHeartbeat
      const isDue = last === undefined || Date.parse(last) + heartbeatMs <= nowMs
      const lastHeartbeat = isDue ? new Date(nowMs).toISOString() : last
      const verdict = verdictOfSet(set)
      await setStatus(tools, Probe, { object: probe, ...verdict, fields: { lastHeartbeat } })
      return { requeueAfterMs: Date.parse(lastHeartbeat) + heartbeatMs - nowMs }
    },
  })

export const heartbeat: NoAlarm = {
  id: 'N05',
  summary: 'The status contains the time, and is written every 30 seconds.',
  resource: Probe,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 1 } },
  program,
  options: { heartbeats: ['probes.example.com/probes'] },
}
