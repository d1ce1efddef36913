import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeHost } from 'setpoint/host'
import { afterAll, expect, test } from 'vitest'
import { exitCodes, parseCommand } from '../command/index.ts'
import { simCommand } from '../commands/sim-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { runSim } from './run-sim.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-sim-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folder = fileURLToPath(new URL('testdata/shop', import.meta.url))

async function run(words: readonly string[], isInteractive = false) {
  const terminal = new RecordingTerminal(isInteractive ? { answers: [] } : {})
  const parsed = parseCommand([simCommand], ['sim', ...words])
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const { signal } = new AbortController()
  const code = await runSim({ host: nodeHost(), terminal, folder, signal }, parsed.input)
  return { code, text: terminal.text, notes: terminal.notes.join('\n') }
}

test('writes a plan and a test for each finding, which --replay repeats', async () => {
  const out = join(root, 'findings')
  const { code, text, notes } = await run(['--out', out, '--resource', 'shop', '--seed', '7'], true)
  expect(code).toBe(exitCodes.failed)
  expect(text).toContain('/secrets default/oak-ca is missing')
  expect(text).toContain('findings (seed 7)')
  expect(notes).toContain('Shop (shops.example.com): the workload without faults')
  const name = 'shops-o2-crash-after-1-step-0'
  expect(readdirSync(out)).toEqual(expect.arrayContaining([`${name}.json`, `${name}.test.ts`]))
  expect(text).toContain(`${name}.json`)
  const source = readFileSync(join(out, `${name}.test.ts`), 'utf8')
  expect(source).toMatch(/^const operators = new URL\('\.\.\/.*src\/operators\.mjs', import/m)

  const first = await run(['--replay', join(out, `${name}.json`)])
  expect(first.code).toBe(exitCodes.failed)
  expect(first.text).toContain('FAULT: the process crashes after its write 1')
  expect(first.text).toContain('still found:')
  expect((await run(['--replay', join(out, `${name}.json`)])).text).toBe(first.text)
})

test('a crash loses the variables of modules; without findings nothing is written', async () => {
  const out = join(root, 'memory')
  const words = ['--out', out, '--resource', 'Cart', '--tier', 'watch', '--budget', '20s']
  const { code, text, notes } = await run(words)
  expect([code, existsSync(out), notes]).toEqual([exitCodes.ok, false, ''])
  expect(text).toContain('0 findings')
})

test('shares the time among resources', async () => {
  const both = await run(['--out', join(root, 'both'), '--budget', '1s', '--json'])
  const { resources } = JSON.parse(both.text) as { resources: { resource: string }[] }
  expect(resources.map(({ resource }) => resource)).toEqual([
    'shops.example.com',
    'carts.example.com',
  ])
  expect(both.notes).toBe('Unsold (unsolds.example.com) was not simulated: it has no sample')
})

test('exceptions of package.json are in the plan, too', async () => {
  const out = join(root, 'declared')
  await run(['--out', out, '--resource', 'shop', '--tier', 'watch', '--budget', '20s'])
  const plan = readFileSync(join(out, 'shops-o2-crash-after-1-step-0.json'), 'utf8')
  expect(JSON.parse(plan)).toMatchObject({ declared: { recreated: ['/configmaps'] } })
})

test('says when a plan is no longer found', async () => {
  const out = join(root, 'fixed')
  await run(['--out', out, '--resource', 'shop'])
  const plan = readFileSync(join(out, 'shops-o2-crash-after-1-step-0.json'), 'utf8')
  const file = JSON.parse(plan) as { plan: { faults: { type: string }[] } }
  file.plan.faults = [{ type: 'reversed-lists' }]
  const path = join(root, 'harmless.json')
  await nodeHost().writeFile(path, JSON.stringify(file))
  expect(await run(['--replay', path])).toMatchObject({ code: exitCodes.ok })
})

test.each([
  [['--budget', 'soon'], '--budget is "soon", which is not a duration'],
  [['--budget', '0s'], '--budget is "0s", which is not a duration'],
  [['--seed', 'x'], '--seed is x, which is not a number'],
  [['--replay', 'x.json', '--seed', '1'], '--replay and --seed cannot be used together'],
  [['--resource', 'Shelf'], '--resource is Shelf, which the operators do not define'],
])('refuses %j', async (words, message) => {
  await expect(run(words)).rejects.toMatchObject({ message, exitCode: exitCodes.usage })
})

test.each([
  [['--replay', 'nowhere.json'], '--replay: there is no file nowhere.json'],
  [['--replay', 'package.json'], 'package.json is not a plan: format is missing'],
  [['--samples', 'nowhere.yaml'], '--samples: there is no file nowhere.yaml'],
  [['--samples', 'package.json'], 'package.json: an object needs apiVersion, kind'],
  [['--resource', 'unsolds.example.com'], 'there is no sample of Unsold'],
])('fails for %j', async (words, message) => {
  await expect(run(words)).rejects.toThrow(message)
})
