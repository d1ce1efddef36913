import { simulate, type Finding } from '@setpoint/sim'
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
}

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
  return {
    type,
    id,
    summary,
    expected,
    findings,
    plans: coverage.plans,
    triedPlans: coverage.triedPlans,
    ...first,
    seconds: secondsSoFar(),
  }
}

/** Whether a finding is one of the expected oracles; any will do if none is named. */
function isExpected(expected: readonly string[], { oracle }: Pick<Finding, 'oracle'>): boolean {
  return expected.length === 0 || expected.includes(oracle)
}

/** Whether the result is right: a bug is found, and nothing else is. */
export function isRight(run: MeasuredRun): boolean {
  if (!isBuggy(run)) return run.findings.length === 0
  return run.findings.some((one) => isExpected(run.expected, one))
}
