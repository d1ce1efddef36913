import { models } from '../packages/sim/models/models.ts'
import { workloadOf } from '../packages/sim/src/workload/workload.ts'
import { recordWorkload } from '../packages/sim/src/record-workload.ts'
import { Bypasses } from '../packages/sim/src/bypass/bypass.ts'
import { readiness } from '../packages/sim/src/state/subject-status.ts'
import { stateDifferences } from '../packages/sim/src/state/state-difference.ts'
const m = models.find((x) => x.id === process.argv[2])!
const steps = workloadOf(m.resource, m.sample, { badImage: 'missing.invalid/image:1' })
const { reference } = await recordWorkload({ program: m.program, companions: [], definition: m.resource, externals: [], seed: 1, heartbeats: [], invariants: [], bypasses: new Bypasses() }, { others: [], steps })
for (const [i, r] of reference.runs.entries()) {
  console.log(i, steps[i]!.name, [...readiness(r, `${m.resource.group}/${m.resource.plural}`).values()], r.calm.isQuiet, r.calm.lastErrors.length, r.calm.lastRefusals, r.refusal)
}
console.log([...reference.unstable].slice(0, 40), reference.randomNames)
