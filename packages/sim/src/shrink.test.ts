import { expect, test } from 'vitest'
import type { Plan } from './plans/plan.ts'
import type { Finding } from './report/finding.ts'
import { type ShorterTrial, shrunk } from './shrink.ts'
import type { Step } from './workload/step.ts'

const sample = { metadata: { name: 'oak' }, spec: {} }
const set = (value: number): Step => ({
  do: 'set',
  name: `set ${value}`,
  object: 'oak',
  field: 'spec.size',
  spec: { size: value },
})
const steps: readonly Step[] = [
  { do: 'create', name: 'create', object: sample },
  set(1),
  set(2),
  set(3),
  { do: 'delete', name: 'delete', object: 'oak' },
  { do: 'create', name: 'create again', object: sample },
]

function findingAt(plan: Plan, count = 1): Finding {
  return {
    oracle: 'O2',
    problem: 'the end state differs',
    details: [],
    plan,
    steps: steps.slice(plan.step, plan.step + count).map(({ name }) => name),
    story: '',
    workload: {
      seed: 1,
      resource: { group: 'example.com', plural: 'shops' },
      samples: [sample],
      steps,
      declared: {},
    },
  }
}

const crash = { type: 'crash-after', write: 1 } as const
const lost = { type: 'lose-answer', write: 2 } as const

/** The trials if none of them finds anything. */
async function shorterTrials(finding: Finding): Promise<ShorterTrial[]> {
  const trials: ShorterTrial[] = []
  await shrunk(finding, async (trial) => {
    trials.push(trial)
    return undefined
  })
  return trials
}

const namesOf = (trials: readonly ShorterTrial[]): string[][] =>
  trials.map((trial) => trial.steps.map(({ name }) => name))

test('the shortest workload has the object and the step of the faults', async () => {
  const trials = await shorterTrials(findingAt({ step: 3, faults: [crash] }))
  expect(namesOf(trials)).toEqual([
    ['create', 'set 3'],
    ['create', 'set 2', 'set 3'],
  ])
  expect(trials[0]?.plan.step).toBe(1)
})

test('a step that creates the object needs none before it', async () => {
  const trials = await shorterTrials(findingAt({ step: 5, faults: [crash] }))
  expect(namesOf(trials).slice(0, 2)).toEqual([
    ['create again'],
    ['create', 'delete', 'create again'],
  ])
})

test('the first step cannot be shorter', async () => {
  expect(await shorterTrials(findingAt({ step: 0, faults: [crash] }, 2))).toEqual([])
})

test('faults that are not needed are left out', async () => {
  const finding = findingAt({ step: 3, faults: [crash, lost] })
  const result = await shrunk(finding, async ({ plan, steps: tried }) =>
    plan.faults.includes(lost)
      ? { ...finding, plan, workload: { ...finding.workload, steps: tried } }
      : undefined,
  )
  expect(result.plan).toEqual({ step: 1, faults: [lost] })
  expect(result.workload.steps.map(({ name }) => name)).toEqual(['create', 'set 3'])
})

test('a finding that nothing shorter repeats stays as it is', async () => {
  const finding = findingAt({ step: 3, faults: [crash] })
  expect(await shrunk(finding, async () => undefined)).toBe(finding)
})
