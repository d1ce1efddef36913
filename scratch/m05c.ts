import { simulate } from '@setpoint/sim'
import { models } from '../packages/sim/models/models.ts'
import { workloadOf } from '../packages/sim/src/workload/workload.ts'
const m = models.find((x) => x.id === process.argv[2])!
const steps = workloadOf(m.resource, m.sample, { badImage: 'missing.invalid/image:1' })
const i = steps.findIndex((s) => s.name.includes(process.argv[3]!))
  const r = await simulate(m.program, { samples: m.sample, resource: m.resource, ...m.options, scenario: steps.slice(0, i + 1), only: { step: i, faults: [{ type: 'crash-after', write: Number(process.argv[4]) }] }, onEvent: (e) => console.log(e.atMs/1000, e.text, e.details.join('; ').slice(0,200)) })
  console.log(r.findings.map((f) => f.story))
