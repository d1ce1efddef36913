import { describe, expect, test } from 'vitest'
import { allScenarios } from './all-scenarios.ts'
import { differencesBetween } from './differences.ts'
import { expectedDifferences } from './expected-differences.ts'
import { readRecordings, type Entry } from './recording.ts'
import { runScenario, StoppedScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { embeddedWorld } from './world.ts'

// recorded/ has the results of a real control plane: `npm run workloads:real -- --record --twice`
// writes them. For the development of a controller: only scenarios whose title contains SCENARIOS
// run, even for subjects without a controller.
//
//     SCENARIOS='jobs: completes a job' npx vitest run test/workloads/scenarios.test.ts
const chosen = process.env['SCENARIOS']

/** The maximum number of reported lines. */
const linesMax = 60

async function differences(
  title: string,
  scenario: Scenario,
  recorded: readonly Entry[],
): Promise<string[]> {
  await using world = await embeddedWorld(title)
  try {
    return differencesBetween(recorded, await runScenario(world, scenario, 'wl-0000-000'))
  } catch (error) {
    if (!(error instanceof StoppedScenario)) throw error
    const reads = new Set(error.entries.flatMap((entry) => ('read' in entry ? [entry.read] : [])))
    const before = recorded.filter((entry) => 'read' in entry && reads.has(entry.read))
    const read = error.entries.filter((entry) => 'read' in entry)
    return [error.message, ...differencesBetween(before, read)]
  }
}

for (const [subject, scenarios] of Object.entries(allScenarios)) {
  const recordings = readRecordings(subject)
  const expected = expectedDifferences[subject] ?? {}
  for (const scenario of scenarios) {
    const title = `${subject}: ${scenario.name}`
    const runs = chosen === undefined ? typeof expected !== 'string' : title.includes(chosen)
    if (!runs) continue
    test(title, async () => {
      const lines = await differences(title, scenario, recordings.get(scenario.name) ?? [])
      const why = typeof expected === 'string' ? undefined : expected[scenario.name]
      if (why !== undefined && chosen === undefined) {
        expect(
          lines,
          'the scenario no longer differs: remove it from expected-differences.ts',
        ).not.toEqual([])
      } else if (lines.length > 0) expect.fail(report(lines))
    })
  }
}

function report(lines: readonly string[]): string {
  const more = lines.length > linesMax ? [`... and ${lines.length - linesMax} lines more`] : []
  return ['differs from a real cluster', ...lines.slice(0, linesMax), ...more].join('\n')
}

describe('all scenarios', () => {
  const all = Object.entries(allScenarios)

  test('have unique names within their subject', () => {
    for (const [, scenarios] of all) {
      expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
    }
  })

  test('are recorded, and no others are', () => {
    for (const [subject, scenarios] of all) {
      const names = scenarios.map(({ name }) => name)
      expect([...readRecordings(subject).keys()]).toEqual(names)
    }
  })

  test('that are expected to differ exist', () => {
    for (const [subject, expected] of Object.entries(expectedDifferences)) {
      const names = (allScenarios[subject] ?? []).map(({ name }) => name)
      expect(Object.keys(allScenarios)).toContain(subject)
      if (typeof expected !== 'string')
        expect(names).toEqual(expect.arrayContaining(Object.keys(expected)))
    }
  })
})
