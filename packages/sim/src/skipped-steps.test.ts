import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { Job } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { simulate, type Step } from './index.ts'
import './vitest.ts'

const Database = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Database',
  spec: z.object({ version: z.string() }),
})

/** Prepares each version once, with a Job that stays. */
const databases = operator(Database)
  .owns(Job)
  .reconcile(async ({ metadata, spec: { version } }, ctx) => {
    const name = `${metadata.name}-${version}`
    if (ctx.get(Job, name) !== undefined) return
    const containers = [{ name: 'prepare', image: `postgres:${version}` }]
    const template = { spec: { restartPolicy: 'Never', containers } } as const
    await ctx.create(Job, { metadata: { name }, spec: { template } })
  })

test('a version that the program does not see needs no Job', async () => {
  const samples = { metadata: { name: 'oak' }, spec: { version: '15' } }
  const scenario: readonly Step[] = [
    { do: 'create', name: 'create oak', object: samples },
    {
      do: 'set',
      name: 'set the version',
      object: 'oak',
      field: 'spec.version',
      spec: { version: '16' },
    },
  ]
  const only = { step: 0, faults: [{ type: 'absent', steps: 2 }] } as const
  expect(await simulate(databases, { samples, scenario, only })).toHaveNoFindings()
})
