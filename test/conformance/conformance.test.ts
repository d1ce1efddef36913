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

describe.each(Object.entries(allCases))(
  'the answers of a real server and ours are equal: %s',
  (file, cases) => {
    const recorded = readRecorded(file)
    test.each(cases.map((entry, index) => ({ ...entry, index })))('$name', async (entry) => {
      const answers = await runCase(await target(), entry, `case-${file}-${entry.index}-0`)
      if (entry.differs === undefined) expect(answers).toEqual(recorded.get(entry.name))
      else expect(answers.length).toBeGreaterThan(0)
    })
  },
)

test('has unique case names within each file', () => {
  for (const cases of Object.values(allCases)) {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  }
})

test('documents the number of cases and of differences', () => {
  const page = readFileSync(new URL('../../docs/reference/fidelity.md', import.meta.url), 'utf8')
  const cases = Object.values(allCases).flat()
  const differing = cases.filter(({ differs }) => differs !== undefined)
  expect(page).toContain(`${cases.length} cases, of which ${differing.length} differ`)
})
