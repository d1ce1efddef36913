import { simulate, type Finding, type OracleId, type SimulateOptions } from '@setpoint/sim'
import { nodeHost } from 'setpoint/host'
import type { Program, Sample } from '@setpoint/sim'
import type { AnyResourceDefinition } from 'setpoint'

/** A program with its resource and its declarations. */
interface Judged {
  readonly resource: AnyResourceDefinition
  readonly sample: Sample
  readonly program: Program
  readonly options?: Partial<Omit<SimulateOptions, 'resource' | 'samples'>>
}

/** What the simulator finds in a program. */
interface Measured {
  readonly findings: readonly Finding[]
  readonly oracles: readonly OracleId[]
  readonly plans: number
  readonly triedPlans: number
  /** How many plans and seconds were needed until the first finding. */
  readonly plansToFirst: number | undefined
  readonly secondsToFirst: number | undefined
  readonly seconds: number
}

/** Simulates one program of the benchmark. */
export async function measure(judged: Judged, budget?: `${number}s`): Promise<Measured> {
  const host = nodeHost()
  const startMs = host.monotonicMs()
  let first: { readonly plans: number; readonly ms: number } | undefined
  const { findings, coverage } = await simulate(judged.program, {
    samples: judged.sample,
    resource: judged.resource,
    ...judged.options,
    ...(budget === undefined ? {} : { budget }),
    onProgress: ({ triedPlans, findings: found }) => {
      if (found > 0) first ??= { plans: triedPlans, ms: host.monotonicMs() - startMs }
    },
  })
  return {
    findings,
    oracles: [...new Set(findings.map(({ oracle }) => oracle))],
    plans: coverage.plans,
    triedPlans: coverage.triedPlans,
    plansToFirst: first?.plans,
    secondsToFirst: first === undefined ? undefined : first.ms / 1000,
    seconds: (host.monotonicMs() - startMs) / 1000,
  }
}
