import { createCluster } from '@setpoint/cluster'
import { virtualHost } from 'setpoint/host'
import { models } from '../packages/sim/models/models.ts'
import { recordWorkload } from '../packages/sim/src/record-workload.ts'
const m = models.find((x) => x.id === 'M14')!
const r = await recordWorkload({ program: m.program, companions: [], definition: m.resource, externals: [], seed: 1, heartbeats: [], invariants: [] }, { others: [], steps: [{ do: 'create', name: 'create', object: m.sample }] })
for (const [b, os] of Object.entries(r.reference.runs[0]!.end.cluster.buckets)) if (/zook|statefulsets/.test(b)) for (const o of os) console.log(b, o.key, o.text.slice(0, 900))
