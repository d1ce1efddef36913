// Runs the scenarios of test/workloads on a real control plane and compares with the recordings:
//
//     npm run workloads:real                   starts a control plane from KUBEBUILDER_ASSETS, which must also
//                                              have kube-controller-manager
//     npm run workloads:real -- --kubeconfig FILE   uses a running one
//     ... --record                             writes the results of the real one to recorded/
//     ... --twice                              runs everything twice; differences between the runs are reported, not recorded
//     ... --only NAME                          only subjects or scenarios whose name contains NAME
//     ... --jobs N                             how many in parallel
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allScenarios } from '../test/workloads/all-scenarios.ts'
import { differencesBetween } from '../test/workloads/differences.ts'
import { readRecordings, writeRecordings, type Entry } from '../test/workloads/recording.ts'
import { runScenario } from '../test/workloads/run-scenario.ts'
import type { Scenario } from '../test/workloads/scenario.ts'
import { realWorld, type World } from '../test/workloads/world.ts'
import { startControlPlane } from './control-plane.ts'

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    record: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '12' },
  },
})

interface Job {
  readonly subject: string
  readonly scenario: Scenario
}

type Outcome = readonly Entry[] | Error

const jobs: readonly Job[] = Object.entries(allScenarios).flatMap(([subject, scenarios]) =>
  scenarios
    .filter(({ name }) => `${subject} ${name}`.includes(values.only))
    .map((scenario) => ({ subject, scenario })),
)

/** Runs every scenario once, some in parallel; namespaces are new in every run. */
async function runAll(world: World): Promise<Map<Job, Outcome>> {
  const run = world.host.uuid().slice(0, 4)
  const outcomes = new Map<Job, Outcome>()
  const waiting = [...jobs.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, job] = next
      const namespace = `wl-${run}-${String(index).padStart(3, '0')}`
      const outcome = await runScenario(world, job.scenario, namespace).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      )
      outcomes.set(job, outcome)
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker))
  return outcomes
}

function reportLines({ subject, scenario }: Job, lines: readonly string[]): number {
  if (lines.length > 0) console.log([`${subject}: ${scenario.name}`, ...lines].join('\n  '))
  return lines.length === 0 ? 0 : 1
}

/** Reasons not to record a scenario: it fails, or its runs differ. */
function reasonsToSkip(outcome: Outcome, again: Outcome | undefined): string[] {
  if (outcome instanceof Error) return [outcome.message]
  if (again instanceof Error) return [`the second run: ${again.message}`]
  return again === undefined ? [] : differencesBetween(outcome, again)
}

async function compare(world: World): Promise<number> {
  const outcomes = await runAll(world)
  const again = values.twice ? await runAll(world) : undefined
  const good = new Map<string, readonly Entry[]>()
  let differences = 0
  for (const job of jobs) {
    const outcome = outcomes.get(job) ?? new Error('the scenario did not run')
    const found = reasonsToSkip(outcome, again?.get(job))
    differences += reportLines(job, found)
    if (found.length > 0 || outcome instanceof Error) continue
    good.set(`${job.subject} ${job.scenario.name}`, outcome)
    if (values.record) continue
    const recorded = readRecordings(job.subject).get(job.scenario.name) ?? []
    differences += reportLines(job, differencesBetween(recorded, outcome))
  }
  if (values.record) record(good)
  console.log(`${jobs.length} scenarios, ${differences} with differences`)
  return differences
}

/** Keeps the recordings of scenarios that did not run. */
function record(good: ReadonlyMap<string, readonly Entry[]>): void {
  for (const [subject, scenarios] of Object.entries(allScenarios)) {
    const before = readRecordings(subject)
    const entries = scenarios.flatMap(({ name }): [string, readonly Entry[]][] => {
      const found = good.get(`${subject} ${name}`) ?? before.get(name)
      return found === undefined ? [] : [[name, found]]
    })
    writeRecordings(subject, new Map(entries))
  }
}

const folder = mkdtempSync(join(tmpdir(), 'setpoint-workloads-'))
const plane =
  values.kubeconfig === undefined
    ? await startControlPlane(folder, { controllers: true })
    : undefined
try {
  await using world = await realWorld(values.kubeconfig ?? plane?.kubeconfig ?? '')
  process.exitCode = (await compare(world)) === 0 ? 0 : 1
} finally {
  await plane?.stop()
  rmSync(folder, { recursive: true, force: true })
}
