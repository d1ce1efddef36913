import { simulate } from '@setpoint/sim'
import { models } from '../packages/sim/models/models.ts'
import { workloadOf } from '../packages/sim/src/workload/workload.ts'
const m = models.find((x) => x.id === process.argv[2])!
const steps = workloadOf(m.resource, m.sample, { badImage: 'missing.invalid/image:1' })
console.log(steps.map((s, i) => `${i} ${s.name}`).join('\n'))
const r = await simulate(m.program, { samples: m.sample, resource: m.resource, ...m.options, budget: '1s' })
console.log(r.findings.map((f) => f.story), r.coverage)
const i = steps.findIndex((s) => s.name.includes(process.argv[3]!))
for (let w = 1; w <= 4; w++) {
  const r = await simulate(m.program, { samples: m.sample, resource: m.resource, ...m.options, scenario: steps.slice(0, i + 1), only: { step: i, faults: [{ type: 'crash-after', write: w }] } })
  console.log(w, r.findings.map((f) => f.story))
}
