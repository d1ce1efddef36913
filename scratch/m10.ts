import { simulate } from '@setpoint/sim'
import { models } from '../packages/sim/models/models.ts'
import { workloadOf } from '../packages/sim/src/workload/workload.ts'
import { recordWorkload } from '../packages/sim/src/record-workload.ts'
import { Bypasses } from '../packages/sim/src/bypass/bypass.ts'
import { plansOf } from '../packages/sim/src/plans/enumerate-plans.ts'
const m = models.find((x) => x.id === process.argv[2])!
const steps = workloadOf(m.resource, m.sample, { badImage: 'missing.invalid/image:1' })
const { reference } = await recordWorkload({ program: m.program, companions: [], definition: m.resource, externals: m.options?.externals ?? [], seed: 1, heartbeats: [], invariants: [], bypasses: new Bypasses() }, { others: [], steps })
const plans = plansOf({ runs: reference.runs, subject: `${m.resource.group}/${m.resource.plural}`, isReplicated: false, isThorough: false })
const want = plans.filter((p) => p.step === Number(process.argv[3]) && p.faults.some((f) => f.type === process.argv[4]))
for (const p of want) console.log(JSON.stringify(p))
if (process.argv[5]) {
  const plan = want[Number(process.argv[5])]!
  const r = await simulate(m.program, { samples: m.sample, resource: m.resource, ...m.options, scenario: steps.slice(0, plan.step + 3), only: plan, onEvent: (e) => console.log(e.atMs/1000, e.text, e.details.join('; ').slice(0,150)) })
  console.log(r.findings.map((f) => f.story))
}
