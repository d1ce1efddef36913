import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, Secret } from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../report/finding.ts'
import { simulate } from '../simulate.ts'
import { controlLoop } from '../testdata/control-loop.ts'
import type { Program } from '../world/program.ts'
import {
  fileNameOf,
  planFileOf,
  planFileText,
  planOptions,
  readPlanFile,
  testFileOf,
} from './index.ts'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({ cache: z.boolean().default(false) }),
})
const samples = { metadata: { name: 'oak' }, spec: {} }

/** Checks only the first of two Secrets. */
const halfDone = controlLoop(Shop, async ({ metadata: { name } }, client) => {
  if ((await client.find(Secret, name)) !== undefined) return
  await client.create(Secret, { metadata: { name } })
  await client.create(Secret, { metadata: { name: `${name}-ca` } })
})

/** Never removes the cache, and remembers in the process what it has seen. */
const forgetful: Program = async (context) => {
  const seen = new Set<string>()
  await controlLoop(Shop, async ({ metadata: { name }, spec }, client) => {
    if (spec.cache) seen.add(name)
    const data = { seen: String(seen.has(name)) }
    const found = await client.find(ConfigMap, name)
    if (found === undefined) await client.create(ConfigMap, { metadata: { name }, data })
    else if (found.data?.['seen'] !== data.seen) await client.replace(ConfigMap, { ...found, data })
  })(context)
}

/** Uses one name for all objects. */
const oneName = controlLoop(Shop, async ({ metadata: { name } }, client) => {
  const found = await client.find(ConfigMap, 'shared')
  const data = { of: name }
  if (found === undefined) await client.create(ConfigMap, { metadata: { name: 'shared' }, data })
  else if (found.data?.['of'] !== name) await client.replace(ConfigMap, { ...found, data })
})

async function findingOf(program: Program, isIt: (finding: Finding) => boolean): Promise<Finding> {
  const options = { resource: Shop, samples, inert: ['spec'] }
  const { findings } = await simulate(program, options)
  const found = findings.find(isIt)
  if (found === undefined) throw new Error(findings.map(({ story }) => story).join('\n'))
  return found
}

async function repeated(program: Program, finding: Finding): Promise<string[]> {
  const file = readPlanFile(planFileText(planFileOf(finding)))
  const { findings } = await simulate(program, { ...planOptions(file, program), resource: Shop })
  return findings.map(({ story }) => story)
}

test.each<[string, Program, (finding: Finding) => boolean]>([
  ['a fault', halfDone, ({ plan }) => plan.faults.length > 0],
  ['no fault', halfDone, ({ plan }) => plan.faults.length === 0 && plan.compare === undefined],
  ['a run without restarts', forgetful, ({ plan }) => plan.compare === 'uninterrupted'],
  ['an object that is created', forgetful, ({ oracle }) => oracle === 'O13'],
  ['a second object', oneName, ({ plan }) => plan.compare === 'second'],
])('a plan with %s gives the same story each time', async (_, program, isIt) => {
  const finding = await findingOf(program, isIt)
  const first = await repeated(program, finding)
  expect(first).toContain(finding.story)
  expect(await repeated(program, finding)).toEqual(first)
  expect(await repeated(program, finding)).toEqual(first)
})

test('a plan finds nothing in a program without the problem', async () => {
  const finding = await findingOf(halfDone, ({ plan }) => plan.faults.length > 0)
  const fixed = operator(Shop).child('tls', Secret, () => ({}))
  const options = planOptions(planFileOf(finding), [fixed])
  expect((await simulate([fixed], options)).findings).toEqual([])
})

describe('files', () => {
  const finding: Finding = {
    oracle: 'O2',
    problem: "it's wrong",
    details: ['a "detail"'],
    plan: { step: 0, faults: [{ type: 'crash-after', write: 1 }] },
    steps: ['create oak'],
    story: 'O2: wrong\n  a user does: create oak',
    workload: {
      seed: 7,
      resource: { group: 'example.com', plural: 'shops' },
      samples: [samples],
      steps: [{ do: 'create', name: 'create oak', object: samples }],
      declared: { inert: ['spec'] },
    },
  }
  const file = planFileOf(finding)

  test('a plan file is read as it was written', () => {
    expect(readPlanFile(planFileText(file))).toEqual(file)
    expect(fileNameOf(finding)).toBe('shops-o2-crash-after-1-step-0')
  })

  test('a test file has the story, and reads the plan next to it', () => {
    const text = testFileOf(finding, { operators: '../src/operators.ts', plan: './a.json' })
    expect(text).toMatchInlineSnapshot(`
      "// Written by setpoint sim. The test fails until this is fixed:
      //
      // O2: wrong
      //   a user does: create oak
      import { readFile } from 'node:fs/promises'
      import { planOptions, readPlanFile, simulate } from '@setpoint/sim'
      import '@setpoint/sim/vitest'
      import { expect, test } from 'vitest'
      import exported from '../src/operators.ts'

      const file = new URL('./a.json', import.meta.url)

      test('O2, the process crashes after its write 1, without its answer: it\\'s wrong', { timeout: 300_000 }, async () => {
        const program = [exported].flat()
        const plan = readPlanFile(await readFile(file, 'utf8'))
        expect(await simulate(program, planOptions(plan, program))).toHaveNoFindings()
      })
      "
    `)
  })

  test.each([
    ['{', 'plan.json is not JSON: '],
    ['[]', 'plan.json is not a plan: it is not an object'],
    ['{}', 'format is missing, not setpoint-sim-plan'],
    [{ version: 2 }, 'its version is 2, and this program reads 1'],
    [{ seed: 'x' }, 'seed is "x", not a number'],
    [{ resource: {} }, 'resource needs a group and a plural'],
    [{ declared: { inert: 'spec' } }, 'declared is not an object with lists of names'],
    [{ samples: [] }, 'samples is not a list of objects'],
    [{ samples: [{}] }, 'samples[0] is not an object with metadata'],
    [{ steps: [{ do: 'toString' }] }, 'steps[0] does "toString", which is unknown'],
    [{ steps: [{ do: 'delete', name: 'x' }] }, 'steps[0] needs object: string'],
    [{ plan: { step: 1, faults: [] } }, 'plan.step is 1, and there are 1 steps'],
    [
      { plan: { step: 0, faults: [{ type: 'flood' }] } },
      'plan.faults[0] has the unknown type "flood"',
    ],
    [{ plan: { step: 0, faults: [{ type: 'lag' }] } }, 'plan.faults[0] needs write: number'],
    [{ plan: { step: 0, faults: [], compare: 'x' } }, 'plan.compare is "x", which is unknown'],
    [{ found: { oracle: 'O99' } }, 'found.oracle is "O99", which is unknown'],
  ])('%j is refused: %s', (change, message) => {
    const text = typeof change === 'string' ? change : JSON.stringify({ ...file, ...change })
    expect(() => readPlanFile(text, 'plan.json')).toThrow(message)
  })

  test('a plan for another resource is refused', () => {
    const Cart = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Cart',
      spec: z.object({}),
    })
    expect(() => planOptions(file, [operator(Cart)])).toThrow('shops.example.com')
  })
})
