import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { CronJob } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { type Plan, simulate, type Step } from './index.ts'
import './vitest.ts'

const Report = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Report',
  spec: z.object({ schedule: z.string(), image: z.string() }),
  status: z.object({ active: z.int32() }),
})

const reports = operator(Report)
  .child('cronjob', CronJob, ({ metadata: { name }, spec: { schedule, image } }) => ({
    spec: {
      schedule,
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name, image }] } } },
      },
    },
  }))
  .status((_, { cronjob }) => ({ active: cronjob?.status?.active?.length ?? 0 }))

const spec = { schedule: '*/5 * * * *', image: 'report' }
const samples = { metadata: { name: 'sales' }, spec }
/** The policy of an image without a tag is another one. */
const tagged = { ...spec, image: 'missing.invalid/report:1' }
const scenario: readonly Step[] = [
  { do: 'create', name: 'create sales', object: samples },
  { do: 'set', name: 'set the image', object: 'sales', field: 'spec.image', spec: tagged },
]

test.each<[string, Plan]>([
  ['the Jobs that run', { step: 1, faults: [], compare: 'uninterrupted' }],
  ['a policy by the tag of an earlier image', { step: 1, faults: [], compare: 'created' }],
  ['a late write that is refused', { step: 0, faults: [{ type: 'crash-late', write: 3 }] }],
])('a program is not to blame for %s', async (_, only) => {
  expect(await simulate(reports, { samples, scenario, only })).toHaveNoFindings()
})
