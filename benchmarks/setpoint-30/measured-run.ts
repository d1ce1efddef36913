import { type Finding, simulate } from '@setpoint/sim'
import { nodeHost } from 'setpoint/host'
import { isBuggy, type Subject } from './subjects.ts'

/** What the simulator finds in a program of the benchmark. */
export interface MeasuredRun {
  readonly type: Subject['type']
  readonly id: string
  readonly summary: string
  readonly expected: readonly string[]
  readonly findings: readonly Finding[]
  readonly plans: number
  readonly triedPlans: number
  /** How many plans and seconds were needed until the first finding of an expected oracle. */
  readonly plansToFirst?: number
  readonly secondsToFirst?: number
  readonly seconds: number
  /** The first finding of an expected oracle, which three repetitions must give byte for byte. */
  readonly first?: Finding
  readonly isRepeatable?: boolean
}

const repetitions = 3

/** Simulates a program as its author would, in the tier `ci`. */
export async function measuredRun(subject: Subject, budget?: `${number}s`): Promise<MeasuredRun> {
  const { type, id, summary, resource, sample, program, options, expected } = subject
  const host = nodeHost()
  const startMs = host.monotonicMs()
  const secondsSoFar = (): number => (host.monotonicMs() - startMs) / 1000
  let first: { readonly plansToFirst: number; readonly secondsToFirst: number } | undefined
  const { findings, coverage } = await simulate(program, {
    samples: sample,
    resource,
    ...options,
    ...(budget === undefined ? {} : { budget }),
    onProgress: ({ triedPlans, findings: found }) => {
      if (!found.some((one) => isExpected(expected, one))) return
      first ??= { plansToFirst: triedPlans, secondsToFirst: secondsSoFar() }
    },
  })
  const seconds = secondsSoFar()
  const found = findings.find((one) => isExpected(expected, one))
  return {
    type,
    id,
    summary,
    expected,
    findings,
    plans: coverage.plans,
    triedPlans: coverage.triedPlans,
    ...first,
    seconds,
    ...(found === undefined
      ? {}
      : { first: found, isRepeatable: await isRepeatable(subject, found) }),
  }
}

/** Whether the plan of a finding gives the same story each time. */
async function isRepeatable(subject: Subject, finding: Finding): Promise<boolean> {
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const stories = await storiesOf(subject, finding)
    if (!stories.includes(finding.story)) return false
  }
  return true
}

/** What the plan of a finding finds in a program. */
async function storiesOf(
  { program, resource, options }: Subject,
  { plan, workload }: Finding,
): Promise<string[]> {
  const { seed, samples, steps } = workload
  const repeated = { seed, samples, resource, scenario: steps, only: plan }
  const { findings } = await simulate(program, { ...options, ...repeated })
  return findings.map(({ story }) => story)
}

/** Whether a finding is one of the expected oracles; any will do if none is named. */
function isExpected(expected: readonly string[], { oracle }: Pick<Finding, 'oracle'>): boolean {
  return expected.length === 0 || expected.includes(oracle)
}

/** Whether the result is right: a bug is found, and nothing else is. */
export function isRight(run: MeasuredRun): boolean {
  return isBuggy(run) ? run.isRepeatable === true : run.findings.length === 0
}
