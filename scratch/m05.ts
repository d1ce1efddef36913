import { simulate, type Step } from '@setpoint/sim'
import { models } from '../packages/sim/models/models.ts'
const m = models.find((x) => x.id === 'M05')!
const scenario: Step[] = [
  { do: 'create', name: 'create', object: m.sample },
  { do: 'set', name: 'grow', object: 'oak', field: 'spec.storage', spec: { replicas: 2, storage: '2Gi' } },
]
for (let w = 1; w <= 4; w++) {
  const r = await simulate(m.program, { samples: m.sample, resource: m.resource, scenario, only: { step: 1, faults: [{ type: 'crash-after', write: w }] }, onEvent: (e) => { if (w < 3) console.log(JSON.stringify(e).slice(0, 160)) } })
  console.log(w, r.findings.map((f) => f.story))
}
