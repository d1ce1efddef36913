import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Plan, simulate, type Step } from '../src/index.ts'
import { models } from './models.ts'

/** Written by `npm run bench:sim -- --plans`. */
interface BugPlan {
  readonly id: string
  readonly oracle: string
  readonly plan: Plan
  readonly steps: readonly Step[]
}

const text = readFileSync(new URL('./plans.json', import.meta.url), 'utf8')
const plans = JSON.parse(text) as readonly BugPlan[]

test.each(models)('the plan of $id finds the bug: $summary', async (model) => {
  const { id, program, resource, sample, options } = model
  const known = plans.find((one) => one.id === id)
  if (known === undefined) throw new Error(`no plan for ${id}: npm run bench:sim -- --plans`)
  const { plan, steps, oracle } = known
  const only = { ...options, resource, samples: sample, scenario: steps, only: plan }
  const { findings } = await simulate(program, only)
  expect(findings.map((finding) => finding.oracle)).toContain(oracle)
})
