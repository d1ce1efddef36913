import { judgeDeletion } from './oracles/deletion.ts'
import {
  type Declarations,
  differencesOf,
  differenceTexts,
  firstOf,
} from './oracles/expectation.ts'
import { judgeQuiescence } from './oracles/convergence.ts'
import { judgePath, mayRefuseAt } from './oracles/path-independence.ts'
import { type Comparison, noFaults, type Plan } from './plans/plan.ts'
import type { PlainVerdict } from './judge-reference.ts'
import type { Reference } from './reference.ts'
import type { Sample, Step } from './workload/step.ts'
import { collidingNames } from './workload/colliding-names.ts'
import { runUninterrupted } from './world/uninterrupted-run.ts'
import type { CanonicalState } from './state/canonical-state.ts'
import { objectsOf, saysProblem } from './state/subject-status.ts'
import { type RunContext, runSteps, type StepRun } from './world/step-run.ts'

/** What a comparison finds, with its steps. */
interface ComparisonVerdict extends PlainVerdict {
  readonly compare: Comparison
  readonly steps: readonly Step[]
  /** The run that differs; that of a whole workload is not recorded. */
  readonly run: StepRun | undefined
}

/** What is compared with what. */
export interface ComparisonSource {
  readonly context: RunContext
  readonly reference: Reference
  readonly declared: Declarations
  readonly sample: Sample
  /** Only this comparison, to repeat a finding. */
  readonly only?: Plan
}

/** Runs without faults whose results must agree with the reference. */
export async function compareRuns(source: ComparisonSource): Promise<ComparisonVerdict[]> {
  const isWanted = (comparison: Comparison): boolean =>
    source.only === undefined || source.only.compare === comparison
  return [
    ...(isWanted('uninterrupted') ? await compareUninterrupted(source) : []),
    ...(isWanted('created') ? await compareCreated(source) : []),
    ...(isWanted('second') ? await compareSecond(source) : []),
  ]
}

/** O12: a program that was not restarted since the beginning comes to the same states. */
async function compareUninterrupted({
  context,
  reference,
  declared,
  only,
}: ComparisonSource): Promise<ComparisonVerdict[]> {
  const { steps, runs, checkpoints, unstable } = reference
  const [first] = checkpoints
  if (first === undefined) return []
  const done = only === undefined ? steps : steps.slice(0, only.step + 1)
  const states = await runUninterrupted(context, first, done)
  for (const [step, state] of states.entries()) {
    const run = runs[step]
    if (run === undefined || run.calm.lastRefusals.length > 0) continue
    const differences = differencesOf(run.state, state, { unstable, ...declared })
    if (differences.length === 0) continue
    return [
      {
        oracle: 'O2',
        problem:
          'the state depends on what the process remembers: after restarts it is another one',
        details: differenceTexts(differences),
        step,
        compare: 'uninterrupted',
        steps: steps.slice(step, step + 1),
        run: undefined,
      },
    ]
  }
  return []
}

/** O13: an object that is created with a spec ends as one that got the spec by a change. */
async function compareCreated({
  context,
  reference,
  declared,
  sample,
  only,
}: ComparisonSource): Promise<ComparisonVerdict[]> {
  const { steps, runs, checkpoints, unstable } = reference
  const [first] = checkpoints
  const found: ComparisonVerdict[] = []
  if (first === undefined) return []
  for (const [index, step] of steps.entries()) {
    const run = runs[index]
    if (only !== undefined && only.step !== index) continue
    if (step.do !== 'set' || step.isBack === true || run?.refusal !== undefined) continue
    if (run === undefined || run.calm.lastRefusals.length > 0) continue
    const object = { ...sample, spec: step.spec }
    const create: Step = { do: 'create', name: `create ${step.object}`, object }
    const plan = { ...noFaults(index), compare: 'created' as const }
    const created = await runSteps(context, first, { steps: [create], plan })
    if (created.refusal !== undefined) continue
    const how = 'the state differs from that of an object which is created with this spec'
    const mayRefuse = mayRefuseAt(runs, index, declared.subject)
    const verdicts = judgePath(run, created, { ...declared, mayRefuse, unstable, how })
    found.push(
      ...verdicts.map((one) => ({
        ...one,
        step: index,
        compare: 'created' as const,
        steps: [step],
        run: created,
      })),
    )
  }
  return found
}

/** O19: a second object leaves the objects of the first one alone, even if names are similar. */
async function compareSecond({
  context,
  reference,
  declared,
  sample,
}: ComparisonSource): Promise<ComparisonVerdict[]> {
  const { runs, checkpoints, unstable, steps, begin } = reference
  const [created, from] = [runs[0], checkpoints[1]]
  if (created === undefined || from === undefined) return []
  const found: ComparisonVerdict[] = []
  for (const name of collidingNames(sample.metadata.name, [...created.state.keys()], declared)) {
    const object = { ...sample, metadata: { ...sample.metadata, name } }
    const create: Step = { do: 'create', name: `create ${name}`, object }
    const { namespace } = sample.metadata
    const place = namespace === undefined ? {} : { namespace }
    const remove: Step = { do: 'delete', name: `delete ${name}`, object: name, ...place }
    const plan = noFaults(steps.length)
    const both = await runSteps(context, from, { steps: [create], plan })
    if (both.refusal !== undefined) continue
    const alone = await runSteps(context, both.end, {
      steps: [remove],
      plan: noFaults(plan.step + 1),
    })
    const verdict = { step: 1, compare: 'second' as const, steps: [create, remove], run: both }
    const first = objectsOfFirst(created.state, both.state)
    const taken = differencesOf(created.state, first, { unstable, ...declared }).filter(
      // What exists before may be shared.
      ({ type, object }) => type !== 'extra' && !begin.has(object),
    )
    const replaced = [...created.state].filter(
      ([key, { uid }]) => (alone.state.get(key)?.uid ?? uid) !== uid,
    )
    const left = differencesOf(created.state, alone.state, { unstable, ...declared })
    const problem = `a second object ${name} changes what belongs to ${sample.metadata.name}`
    const details = [
      ...differenceTexts([...taken, ...left]),
      ...replaced.map(([key]) => `${key} is replaced`),
    ]
    if (details.length > 0) found.push({ ...verdict, oracle: 'O19', problem, details })
    const failures = failuresOf(both, created, { subject: declared.subject, name })
    if (failures.length > 0) {
      const cannot = `the program fails for a second object ${name}, and its status does not say so`
      found.push({ ...verdict, oracle: 'O19', problem: cannot, details: failures })
    }
    for (const one of judgeQuiescence(both)) found.push({ ...verdict, ...one, oracle: 'O19' })
    for (const one of judgeDeletion(alone, declared, created.state)) {
      found.push({ ...verdict, ...one, run: alone })
    }
  }
  return found
}

/** Of a state with two objects what belongs to the first one, with the names that it had alone. */
function objectsOfFirst(alone: CanonicalState, both: CanonicalState): CanonicalState {
  const byUid = new Map([...both.values()].map((object) => [object.uid, object]))
  return new Map(
    [...alone].flatMap(([name, { uid }]) => {
      const same = uid === '' ? undefined : byUid.get(uid)
      // Random names of both objects look the same: only the uid distinguishes them.
      const found = same ?? (name.includes('*') ? undefined : both.get(name))
      return found === undefined ? [] : [[name, found] as const]
    }),
  )
}

/** What fails without end for the second object only, unless its status says so. */
function failuresOf(
  both: StepRun,
  created: StepRun,
  { subject, name }: { readonly subject: string; readonly name: string },
): string[] {
  const { lastErrors, lastRefusals } = created.calm
  if (lastErrors.length > 0 || lastRefusals.length > 0) return []
  const second = [...objectsOf(both.end.cluster, subject)].find(([key]) => key.endsWith(`/${name}`))
  if (second !== undefined && saysProblem(second[1])) return []
  return firstOf([...both.calm.lastErrors.map(({ text }) => text), ...both.calm.lastRefusals])
}
