import { simulate } from '@setpoint/sim'
import { models } from '../packages/sim/models/models.ts'
const m = models.find((x) => x.id === process.argv[2])!
const t0 = performance.now(); const c0 = process.cpuUsage()
const r = await simulate(m.twin, { samples: m.sample, resource: m.resource, ...m.options, budget: '60s' })
const c = process.cpuUsage(c0)
console.log(m.id, r.coverage.triedPlans, r.coverage.plans, `${((performance.now() - t0) / r.coverage.triedPlans).toFixed(1)} ms/plan`, `${((c.user + c.system) / 1000 / r.coverage.triedPlans).toFixed(1)} cpu ms/plan`)
