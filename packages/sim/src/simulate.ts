import { type AnyOperator, type AnyResourceDefinition, SetpointError } from 'setpoint'
import { type Duration, durationMs, nodeHost } from 'setpoint/host'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { judgeRun } from './oracles/judge.ts'
import { plansForStep } from './plans/enumerate-plans.ts'
import { noFaults, type Plan } from './plans/plan.ts'
import { judgeReference, recordReference, type Reference } from './reference.ts'
import { FindingList } from './report/finding-list.ts'
import { type Coverage, type Report } from './report/report.ts'
import { keysIn } from './state/canonical-state.ts'
import { stateDifferences } from './state/state-difference.ts'
import { type Sample, workloadOf } from './workload/workload.ts'
import type { Program } from './world/program.ts'
import { type Checkpoint, SimWorld } from './world/sim-world.ts'
import { type RunContext, runSteps } from './world/step-run.ts'

/** The options of a simulation. */
export interface SimulateOptions {
  /** An object of the resource, from which the workload follows. */
  readonly sample: Sample
  /** The resource; by default that of the first operator. A function needs it. */
  readonly resource?: AnyResourceDefinition
  /** Determines all chance; 1 by default. */
  readonly seed?: number
  /** How much real time the plans may take; `60s` by default. What is left is in the report. */
  readonly budget?: Duration
  /**
   * The kinds whose objects stay when their owner is deleted, such as `/persistentvolumeclaims`. By
   * default the children that the operators declare with `deletion: 'retain'`.
   */
  readonly retained?: readonly string[]
}

/**
 * Runs a workload without faults, then again with every single fault where it can matter, and
 * judges the results. It needs no assertions: a run with faults must end as one without.
 */
export async function simulate(program: Program, options: SimulateOptions): Promise<Report> {
  const { sample, seed = 1, budget = '60s' } = options
  const definition = options.resource ?? definitionOf(program)
  for (const one of [definition, ...definitionsOf(program)]) checkVersions(one)
  const clock = nodeHost()
  const deadlineMs = clock.monotonicMs() + durationMs(budget, 'budget')
  const first = await firstCheckpoint(program, definition, seed)
  const context = { program, definition, seed, existing: keysIn(first.cluster) }
  const steps = workloadOf(definition, sample)
  const reference = await recordReference(context, first, steps)
  const subject = `${definition.group}/${definition.plural}`
  const retained = options.retained ?? retainedBy(program)
  const findings = new FindingList(reference.runs)
  for (const verdict of judgeReference(reference, { subject, retained })) {
    findings.add(verdict, noFaults(verdict.step), steps.slice(verdict.step, verdict.step + 1))
  }
  const plans = allPlans(reference)
  let tried = 0
  for (const plan of plans) {
    if (clock.monotonicMs() > deadlineMs) break
    await tryPlan({ context, reference, subject, plan }, findings)
    tried += 1
  }
  const coverage = coverageOf(reference, plans, tried)
  return { findings: findings.all, coverage, notes: notesOf(program) }
}

interface PlanRun {
  readonly context: RunContext
  readonly reference: Reference
  readonly subject: string
  readonly plan: Plan
}

/** How many steps are judged after the faults: some differences have consequences only later. */
const laterStepsMax = 2

async function tryPlan(
  { context, reference, subject, plan }: PlanRun,
  findings: FindingList,
): Promise<void> {
  const { runs, steps, checkpoints, unstable } = reference
  const absent = plan.faults.find((fault) => fault.type === 'absent')
  let index = plan.step + (absent?.steps ?? 1) - 1
  let from = checkpoints[plan.step]
  let [begin, current] = [plan.step, plan]
  while (from !== undefined && index < steps.length && index <= plan.step + laterStepsMax) {
    const expected = runs[index]
    if (expected === undefined) return
    const done = steps.slice(begin, index + 1)
    const run = await runSteps(context, from, { steps: done, plan: current })
    const verdicts = judgeRun(run, { reference: expected, unstable, subject })
    for (const verdict of verdicts) findings.add(verdict, plan, steps.slice(plan.step, index + 1))
    if (verdicts.length > 0 || stateDifferences(expected.state, run.state, unstable).length === 0) {
      return
    }
    from = run.end
    index += 1
    begin = index
    current = noFaults(index)
  }
}

/** All plans, step by step. */
function allPlans({ runs, steps }: Reference): Plan[] {
  return steps.flatMap((_, step) => {
    const run = runs[step]
    if (run === undefined) return []
    const resources = [...new Set(run.writes.map(({ path }) => resourceIn(path)))]
    return plansForStep(step, run, { resources, isLast: step === steps.length - 1 })
  })
}

/** The plural name in a path. */
function resourceIn(path: string): string {
  return /\/namespaces\/[^/]+\/([^/?]+)/.exec(path)?.[1] ?? path.split('/').at(-1) ?? ''
}

async function firstCheckpoint(
  program: Program,
  definition: AnyResourceDefinition,
  seed: number,
): Promise<Checkpoint> {
  await using world = await SimWorld.open({ program, seed: `${seed}/begin` })
  const definitions = new Set([definition, ...definitionsOf(program)])
  for (const one of definitions) {
    await world.cluster.client.create(CustomResourceDefinition, one.crd())
  }
  await world.host.sleep(10_000)
  await world.host.settle()
  return world.checkpoint()
}

function operatorsOf(program: Program): readonly AnyOperator[] {
  return typeof program === 'function' ? [] : program
}

function definitionsOf(program: Program): AnyResourceDefinition[] {
  return operatorsOf(program).flatMap(({ declaration }) => declaration.definition ?? [])
}

function definitionOf(program: Program): AnyResourceDefinition {
  const [definition] = definitionsOf(program)
  if (definition === undefined) {
    throw new SetpointError(
      'OPERATOR_INVALID',
      'simulate needs the option resource: the program defines no resource',
      { hint: 'pass resource: YourDefinition, the resource of the sample' },
    )
  }
  return definition
}

/** Its versions are converted by a webhook, which does not run here. */
function checkVersions({ kind, versions }: AnyResourceDefinition): void {
  if (versions.length === 1) return
  throw new SetpointError(
    'OPERATOR_INVALID',
    `${kind} has several versions, which simulate cannot convert`,
    {
      hint: 'simulate a program whose definition has only the version that it reconciles',
    },
  )
}

/** What of the program was left out. */
function notesOf(program: Program): string[] {
  return operatorsOf(program)
    .filter(({ declaration }) => declaration.admission.length + declaration.policies.length > 0)
    .map(
      ({ declaration: { options } }) =>
        `${options.name}: its .validate, .mutate and .policy were not in force`,
    )
}

function retainedBy(program: Program): string[] {
  return operatorsOf(program).flatMap(({ declaration }) =>
    declaration.children
      .filter(({ deletion }) => deletion === 'retain')
      .map(({ kind }) => `${kind.group}/${kind.plural}`),
  )
}

function coverageOf({ runs }: Reference, plans: readonly Plan[], tried: number): Coverage {
  return {
    steps: runs.length,
    refusedSteps: runs.filter(({ refusal }) => refusal !== undefined).length,
    writes: runs.reduce((sum, { writes }) => sum + writes.length, 0),
    plans: plans.length,
    triedPlans: tried,
  }
}
