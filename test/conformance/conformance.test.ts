import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { allCases } from './all-cases.ts'
import { readRecorded } from './recorded-answers.ts'
import { runCase } from './run-case.ts'
import { embeddedTarget, type Target } from './target.ts'

// The answers in recorded/ are a real server's: `npm run conformance:real -- --record` writes them.
let started: Promise<Target> | undefined
const target = (): Promise<Target> => (started ??= embeddedTarget())
afterAll(async () => (await started)?.[Symbol.asyncDispose]())

describe.each(Object.entries(allCases))('a real server and ours agree on %s', (file, cases) => {
  const recorded = readRecorded(file)
  test.each(cases.map((entry, index) => ({ ...entry, index })))('$name', async (entry) => {
    const answers = await runCase(await target(), entry, `case-${file}-${entry.index}-0`)
    if (entry.differs === undefined) expect(answers).toEqual(recorded.get(entry.name))
    else expect(answers.length).toBeGreaterThan(0)
  })
})

test('every case has a name of its own within its file', () => {
  for (const cases of Object.values(allCases)) {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  }
})

test('the page about fidelity says how many cases there are and how many differ', () => {
  const page = readFileSync(new URL('../../docs/reference/fidelity.md', import.meta.url), 'utf8')
  const cases = Object.values(allCases).flat()
  const differing = cases.filter(({ differs }) => differs !== undefined)
  expect(page).toContain(`${cases.length} cases, of which ${differing.length} differ`)
})
