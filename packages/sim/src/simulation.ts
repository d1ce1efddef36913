import type { AnyResourceDefinition } from 'setpoint'
import { nodeHost } from 'setpoint/host'
import { Bypasses } from './bypass/bypass.ts'
import { compareRuns, type ComparisonSource } from './comparisons.ts'
import { coverageOf } from './coverage.ts'
import { judgeReference } from './judge-reference.ts'
import { PlanRunner } from './plan-runner.ts'
import { plansOf } from './plans/enumerate-plans.ts'
import { mixed, viewOf } from './plans/mixed.ts'
import { pairsOf } from './plans/pairs.ts'
import { noFaults, type Plan } from './plans/plan.ts'
import { swarmOf } from './plans/swarm.ts'
import { recordWorkload } from './record-workload.ts'
import { recordReference } from './reference.ts'
import { FindingList } from './report/finding-list.ts'
import type { Finding } from './report/finding.ts'
import type { Report } from './report/report.ts'
import type { ShorterTrial } from './shrink.ts'
import { type SimulateOptions, tierBudgets } from './simulate-options.ts'
import { timelineObserver } from './timeline/timeline-observer.ts'
import { type Stop, TrialLimit } from './trial-limit.ts'
import { tryOnly } from './try-only.ts'
import { readSamples } from './workload/samples.ts'
import { specFieldCount, workloadOf } from './workload/workload.ts'
import type { Workload } from './workload/workload-data.ts'
import { declaredIn, type Program } from './world/program.ts'
import { definitionOf, notesOf, retainedBy } from './world/program-parts.ts'
import { missingImage } from './world/sim-world.ts'

/** What a simulation knows after the run without faults. */
interface Recorded {
  readonly program: Program
  readonly options: SimulateOptions
  readonly definition: AnyResourceDefinition
  readonly source: ComparisonSource
  readonly workload: Workload
  readonly bypasses: Bypasses
  readonly limit: TrialLimit
}

/** A recorded workload without faults, and what is tried with it. */
export class Simulation {
  readonly #recorded: Recorded
  readonly #findings: FindingList
  readonly #runner: PlanRunner

  private constructor(recorded: Recorded) {
    const { source, workload } = recorded
    this.#recorded = recorded
    this.#findings = new FindingList(source.reference, workload)
    this.#runner = new PlanRunner({ ...source, findings: this.#findings })
  }

  /** Runs the workload without faults. */
  static async record(program: Program, options: SimulateOptions): Promise<Simulation> {
    const { seed = 1, externals = [], heartbeats = [], invariants = [], companions = [] } = options
    const definition = options.resource ?? definitionOf(program)
    const host = nodeHost()
    const limit = limitOf(options, host)
    const { subject: sample, others } = await readSamples(options.samples, definition, host)
    const isShort = options.tier === 'watch'
    const steps =
      options.scenario ?? workloadOf(definition, sample, { badImage: missingImage, isShort })
    const bypasses = new Bypasses()
    const facts = { program, companions, definition, externals, seed, heartbeats, invariants }
    const { context, reference } = await recordWorkload(
      { ...facts, bypasses },
      { subject: sample, others, steps },
    )
    const declared = {
      subject: `${definition.group}/${definition.plural}`,
      retained: options.retained ?? retainedBy(program),
      recreated: options.recreated ?? [],
      heartbeats,
      inert: options.inert ?? [],
    }
    const workload = dataOf(options, { definition, seed, samples: [sample, ...others], steps })
    const source = { context, reference, declared, sample }
    return new Simulation({ program, options, definition, source, workload, bypasses, limit })
  }

  /** Repeats one plan. */
  async tryOnly(plan: Plan): Promise<Report> {
    const { source, options } = this.#recorded
    const observer = options.onEvent && timelineObserver(options.onEvent)
    const context = { ...source.context, observer }
    await tryOnly({ ...source, context, findings: this.#findings }, plan)
    return this.#report([plan], [plan])
  }

  /** Judges the run without faults, then tries faults until the limit, and shrinks what it finds. */
  async tryAll(): Promise<Report> {
    const { options, limit } = this.#recorded
    const isShort = options.tier === 'watch'
    await this.#judgeWithoutFaults()
    const plans = this.#plans()
    const tried: Plan[] = []
    const progressed = (): void => {
      const triedPlans = tried.length
      options.onProgress?.({ plans: plans.length, triedPlans, findings: this.#findings.all })
    }
    progressed()
    if (isShort) limit.restart()
    let stop: Stop | undefined
    for (const plan of plans) {
      stop = limit.stop(tried.length)
      if (stop !== undefined) break
      await this.#runner.try(plan)
      tried.push(plan)
      progressed()
    }
    if (!isShort) await this.#findings.shrink(async (...trial) => this.#repeat(...trial))
    return this.#report(plans, tried, stop)
  }

  async #judgeWithoutFaults(): Promise<void> {
    const { source, options, limit } = this.#recorded
    const { context, reference, declared } = source
    for (const verdict of await judgeReference(context, reference, declared)) {
      this.#findings.add(verdict, noFaults(verdict.step))
    }
    const isWholeWorkload = options.tier !== 'watch' && options.scenario === undefined
    if (!isWholeWorkload || limit.isTimeOver) return
    for (const verdict of await compareRuns(source)) {
      const plan = { ...noFaults(verdict.step), compare: verdict.compare }
      this.#findings.add(verdict, plan, verdict)
    }
  }

  #plans(): Plan[] {
    const { program, options, source, workload } = this.#recorded
    const { tier = 'ci', plansMax } = options
    const singles = plansOf({
      runs: source.reference.runs,
      subject: source.declared.subject,
      // Operators elect a leader; a function of the author possibly runs without.
      isReplicated: typeof declaredIn(program) !== 'function',
      isThorough: tier === 'nightly',
    })
    if (tier === 'watch' || plansMax !== undefined) return mixed(singles)
    const inTurns = mixed(singles, viewOf)
    if (tier === 'ci') return inTurns
    return [...inTurns, ...pairsOf(inTurns), ...swarmOf(singles, workload.seed)]
  }

  /** The same finding in a shorter workload, if it is found there too. */
  async #repeat(finding: Finding, { steps, plan }: ShorterTrial): Promise<Finding | undefined> {
    const { source, workload } = this.#recorded
    const [first] = source.reference.checkpoints
    if (first === undefined) return undefined
    const reference = await recordReference(source.context, first, steps)
    const findings = new FindingList(reference, { ...workload, steps })
    await tryOnly({ ...source, reference, findings }, plan)
    return findings.all.find(
      ({ oracle, problem }) => oracle === finding.oracle && problem === finding.problem,
    )
  }

  #report(plans: readonly Plan[], tried: readonly Plan[], stop?: Stop): Report {
    const { program, definition, source, bypasses, workload } = this.#recorded
    const coverage = coverageOf({
      reference: source.reference,
      plans,
      tried,
      stop,
      specFields: specFieldCount(definition),
      states: this.#runner.states,
    })
    return {
      findings: this.#findings.all,
      coverage,
      bypasses: bypasses.all(),
      notes: notesOf(program),
      seed: workload.seed,
    }
  }
}

/** With a count of plans and without a budget, the result must not depend on the time. */
function limitOf(
  { tier = 'ci', plansMax, budget }: SimulateOptions,
  clock: { monotonicMs(): number },
): TrialLimit {
  const usual = plansMax === undefined ? tierBudgets[tier] : undefined
  return new TrialLimit({ budget: budget ?? usual, plansMax, clock })
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
