import type { AnyResourceDefinition } from 'setpoint'
import { type Duration, nodeHost } from 'setpoint/host'
import { Bypasses } from './bypass/bypass.ts'
import { interceptGlobals } from './bypass/intercept-globals.ts'
import { compareRuns, type ComparisonSource } from './comparisons.ts'
import { coverageOf } from './coverage.ts'
import type { ExternalSystem } from './external/external.ts'
import type { Declarations } from './oracles/expectation.ts'
import type { Invariant } from './oracles/invariant.ts'
import { PlanRunner } from './plan-runner.ts'
import { plansOf } from './plans/enumerate-plans.ts'
import { pairsOf } from './plans/pairs.ts'
import { mixed } from './plans/mixed.ts'
import { noFaults, type Plan } from './plans/plan.ts'
import { swarmOf } from './plans/swarm.ts'
import { definitionOf, notesOf, retainedBy } from './world/program-parts.ts'
import { recordWorkload } from './record-workload.ts'
import { recordReference } from './reference.ts'
import type { ShorterTrial } from './shrink.ts'
import { judgeReference } from './judge-reference.ts'
import { FindingList } from './report/finding-list.ts'
import type { Finding } from './report/finding.ts'
import type { Report } from './report/report.ts'
import type { TimelineEvent } from './timeline/timeline-event.ts'
import { timelineObserver } from './timeline/timeline-observer.ts'
import { type Stop, TrialLimit } from './trial-limit.ts'
import { tryOnly } from './try-only.ts'
import { readSamples, type Samples } from './workload/samples.ts'
import type { Step } from './workload/step.ts'
import { specFieldCount, workloadOf } from './workload/workload.ts'
import { declaredIn, type Program, programOf, type ProgramOrOperator } from './world/program.ts'
import type { Workload } from './workload/workload-data.ts'
import { missingImage } from './world/sim-world.ts'

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
  /** Determines all chance; 1 by default. */
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

/**
 * Runs a workload without faults, then again with every single fault where it can matter, and
 * judges the results. It needs no assertions: a run with faults must end as one without.
 */
export async function simulate(
  given: ProgramOrOperator,
  options: SimulateOptions,
): Promise<Report> {
  const program = programOf(given)
  const { seed = 1, tier = 'ci', externals = [], heartbeats = [], invariants = [] } = options
  const definition = options.resource ?? definitionOf(program)
  const files = nodeHost()
  const isShort = tier === 'watch'
  const { plansMax, budget = plansMax === undefined ? tierBudgets[tier] : undefined } = options
  const limit = new TrialLimit({ budget, plansMax, clock: files })
  const { subject: sample, others } = await readSamples(options.samples, definition, files)
  const steps =
    options.scenario ?? workloadOf(definition, sample, { badImage: missingImage, isShort })
  const { companions = [] } = options
  const bypasses = new Bypasses()
  using _ = interceptGlobals()
  const facts = { program, companions, definition, externals, seed, heartbeats, invariants }
  const common = { ...facts, bypasses }
  const { context, reference } = await recordWorkload(common, { subject: sample, others, steps })
  const declared: Declarations = {
    subject: `${definition.group}/${definition.plural}`,
    retained: options.retained ?? retainedBy(program),
    recreated: options.recreated ?? [],
    heartbeats,
    inert: options.inert ?? [],
  }
  const workload = dataOf(options, { definition, seed, samples: [sample, ...others], steps })
  const findings = new FindingList(reference, workload)
  const runner = new PlanRunner({ context, reference, declared, findings })
  const resultOf = (plans: readonly Plan[], tried: readonly Plan[], stop?: Stop): Report => {
    const notes = notesOf(program)
    const specFields = specFieldCount(definition)
    const coverage = coverageOf({
      reference,
      plans,
      tried,
      specFields,
      stop,
      states: runner.states,
    })
    return { findings: findings.all, coverage, bypasses: bypasses.all(), notes, seed }
  }
  const source: ComparisonSource = { context, reference, declared, sample }
  if (options.only !== undefined) {
    const observer = options.onEvent && timelineObserver(options.onEvent)
    await tryOnly({ ...source, context: { ...context, observer }, findings }, options.only)
    return resultOf([options.only], [options.only])
  }
  for (const verdict of await judgeReference(context, reference, declared)) {
    findings.add(verdict, noFaults(verdict.step))
  }
  const isComparing = !isShort && options.scenario === undefined && !limit.isTimeOver
  for (const verdict of isComparing ? await compareRuns(source) : []) {
    findings.add(verdict, { ...noFaults(verdict.step), compare: verdict.compare }, verdict)
  }
  const singles = plansOf({
    runs: reference.runs,
    subject: declared.subject,
    isReplicated: isElected(program),
    isThorough: tier === 'nightly',
  })
  const all =
    tier === 'nightly' ? [...singles, ...pairsOf(singles), ...swarmOf(singles, seed)] : singles
  const plans = isShort || plansMax !== undefined ? mixed(all) : all
  const tried: Plan[] = []
  const progressed = (): void =>
    options.onProgress?.({
      plans: plans.length,
      triedPlans: tried.length,
      findings: findings.all,
    })
  progressed()
  if (isShort) limit.restart()
  let stop: Stop | undefined
  for (const plan of plans) {
    stop = limit.stop(tried.length)
    if (stop !== undefined) break
    await runner.try(plan)
    tried.push(plan)
    progressed()
  }
  if (!isShort) {
    await findings.shrink(async (finding, trial) =>
      repeatedIn(trial, { source, workload, finding }),
    )
  }
  return resultOf(plans, tried, stop)
}

interface Repeated {
  readonly source: ComparisonSource
  readonly workload: Workload
  readonly finding: Finding
}

/** The same finding in a shorter workload, if it is found there too. */
async function repeatedIn(
  { steps, plan }: ShorterTrial,
  { source, workload, finding }: Repeated,
): Promise<Finding | undefined> {
  const [first] = source.reference.checkpoints
  if (first === undefined) return undefined
  const reference = await recordReference(source.context, first, steps)
  const findings = new FindingList(reference, { ...workload, steps })
  await tryOnly({ ...source, reference, findings }, plan)
  return findings.all.find(
    ({ oracle, problem }) => oracle === finding.oracle && problem === finding.problem,
  )
}

/** What a finding needs to be repeated. */
function dataOf(
  { retained, recreated, heartbeats, inert }: SimulateOptions,
  {
    definition: { group, plural },
    ...rest
  }: Omit<Workload, 'resource' | 'declared'> & {
    readonly definition: AnyResourceDefinition
  },
): Workload {
  return {
    ...rest,
    resource: { group, plural },
    declared: {
      ...(retained === undefined ? {} : { retained }),
      ...(recreated === undefined ? {} : { recreated }),
      ...(heartbeats === undefined ? {} : { heartbeats }),
      ...(inert === undefined ? {} : { inert }),
    },
  }
}

/** Operators elect a leader; a function of the author may run without. */
function isElected(program: Program): boolean {
  return typeof declaredIn(program) !== 'function'
}
