import type { AnyResourceDefinition } from 'setpoint'
import type { Duration } from 'setpoint/host'
import type { ExternalSystem } from './external/external.ts'
import type { Invariant } from './oracles/invariant.ts'
import type { Plan } from './plans/plan.ts'
import type { Finding } from './report/finding.ts'
import type { TimelineEvent } from './timeline/timeline-event.ts'
import type { Samples } from './workload/samples.ts'
import type { Step } from './workload/step.ts'
import type { Program } from './world/program.ts'

/** How much is tried: after a save, in a pipeline, or over night. */
export type Tier = 'watch' | 'ci' | 'nightly'

/** How much real time the runs of a tier may take. */
export const tierBudgets: Readonly<Record<Tier, Duration>> = {
  watch: '2s',
  ci: '60s',
  nightly: '30m',
}

/** The options of a simulation. */
export interface SimulateOptions {
  /**
   * Objects, or the path of a YAML file with them. The workload follows from the first one of the
   * resource; the others exist before it.
   */
  readonly samples: Samples
  /** The resource; by default that of the first operator. A function needs it. */
  readonly resource?: AnyResourceDefinition
  /**
   * `ci` by default: all single faults. `watch` changes two fields only, compares nothing, and
   * tries faults for two seconds after that. `nightly` tries pairs and sets of faults too.
   */
  readonly tier?: Tier
  /** How much real time the runs may take, instead of that of the tier: `2s`, `60s`, `30m`. */
  readonly budget?: Duration
  /**
   * Only so many runs with a fault: some of each kind, the most destructive ones first. Without
   * `budget` there is no limit of time then: the result does not depend on the speed of the machine.
   */
  readonly plansMax?: number
  /** Determines all random values; 1 by default. */
  readonly seed?: number
  /** What users do, instead of the workload that follows from the sample. */
  readonly scenario?: readonly Step[]
  /** What must be true of the cluster: `always(...)`, `never(...)`, `eventually(...)`. */
  readonly invariants?: readonly Invariant[]
  /**
   * Resources whose objects stay when their owner is deleted, such as `/persistentvolumeclaims`. By
   * default the children that the operators declare with `deletion: 'retain'`.
   */
  readonly retained?: readonly string[]
  /** Resources whose objects may be deleted and created again: `apps/deployments`. */
  readonly recreated?: readonly string[]
  /** Resources that the program writes again and again: a status with a time, for example. */
  readonly heartbeats?: readonly string[]
  /** Fields of the spec that change nothing in the cluster: `spec.description`. */
  readonly inert?: readonly string[]
  /** Models of the systems outside of the cluster that the program calls. */
  readonly externals?: readonly ExternalSystem[]
  /**
   * Programs of others that the program relies on, such as an issuer of certificates. They run all
   * the time, and suffer no faults.
   */
  readonly companions?: readonly Program[]
  /**
   * Only this plan, to repeat a finding; the step of the plan counts in `scenario`. Other findings
   * are not reported, and there is no budget.
   */
  readonly only?: Plan
  /** Called with everything that happens in the runs of `only`, to understand a finding. */
  readonly onEvent?: (event: TimelineEvent) => void
  /** Called before the first run with a fault, and after each of them. */
  readonly onProgress?: (progress: Progress) => void
}

/** How far a simulation is. */
export interface Progress {
  /** How many runs with faults there will be. */
  readonly plans: number
  readonly triedPlans: number
  readonly findings: readonly Finding[]
}
