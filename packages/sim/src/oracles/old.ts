import type { Verdict } from '../report/finding.ts'
import type { StepRun } from '../world/step-run.ts'
import type { CanonicalState } from '../state/canonical-state.ts'
import { type Difference, stateDifferences } from '../state/state-difference.ts'

/** What a run is compared with. */
interface Expectation {
  /** The run of the same steps without faults. */
  readonly reference: StepRun
  /** What runs without faults do not agree on. */
  readonly unstable: ReadonlySet<string>
  /** The bucket of the resource, such as `example.com/widgets`. */
  readonly subject: string
}

/** Judges a run with faults. */
export function judgeRun(run: StepRun, expected: Expectation): Verdict[] {
  return [...judgeProcess(run), ...endState(run, expected), ...deletions(run, expected)]
}

/** O7 and O15: rules for every run, with and without faults. */
export function judgeProcess(run: StepRun): Verdict[] {
  const verdicts: Verdict[] = []
  if (!run.calm.isQuiet) {
    verdicts.push({
      oracle: 'O7',
      problem: 'the program does not stop writing, although nothing changes any more',
      details: [...new Set(run.calm.lastWrites)].slice(0, 5),
    })
  }
  if (run.failures.length > 0) {
    verdicts.push({
      oracle: 'O15',
      problem: 'the program fails on a valid object',
      details: [...new Set(run.failures)].slice(0, 5),
    })
  }
  return verdicts
}

/** O12: a program that starts at a fixed point has nothing to do. */
export function judgeStart(run: StepRun): Verdict[] {
  const changes = run.startWrites.filter(({ isRefused }) => !isRefused)
  // While the API server refuses a write, a new process finds that out again, and says so.
  if (changes.length === 0 || changes.length < run.startWrites.length) return []
  return [
    {
      oracle: 'O12',
      problem: 'the program writes when it is restarted, although nothing has changed',
      details: changes.slice(0, 5).map(({ method, path }) => `${method} ${path}`),
    },
  ]
}

/** O2: the state after the faults is the one without them. */
function endState(run: StepRun, { reference, unstable, subject }: Expectation): Verdict[] {
  // What the API server refuses leaves the state before it, which differs if a step was not seen.
  if (reference.calm.isRefused) return []
  const differences = stateDifferences(reference.state, run.state, unstable).filter(
    ({ object, field = '' }) => !object.startsWith(`${subject} `) || !field.startsWith('status'),
  )
  if (differences.length === 0) return []
  return [
    {
      oracle: 'O2',
      problem: 'the end state differs from that of a run without faults',
      details: differences.slice(0, 8).map(differenceText),
    },
  ]
}

/** O3: the program deletes nothing that it does not delete without faults. */
function deletions(run: StepRun, { reference }: Expectation): Verdict[] {
  const usual = new Set(deletedPaths(reference))
  const unusual = [...new Set(deletedPaths(run).filter((path) => !usual.has(path)))]
  if (unusual.length === 0) return []
  return [
    {
      oracle: 'O3',
      problem: 'the program deletes an object that it keeps in a run without faults',
      details: unusual.slice(0, 5).map((path) => `DELETE ${path}`),
    },
  ]
}

function deletedPaths({ writes }: StepRun): string[] {
  return writes.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
}

/** O13: a change and its reversal lead back to the same state. */
export function judgeReversal(
  before: CanonicalState,
  after: CanonicalState,
  { unstable, subject }: Pick<Expectation, 'unstable' | 'subject'>,
): Verdict[] {
  const differences = stateDifferences(before, after, unstable).filter(
    ({ object, field = '' }) => !object.startsWith(`${subject} `) && !field.startsWith('status'),
  )
  if (differences.length === 0) return []
  return [
    {
      oracle: 'O13',
      problem: 'the state differs from the one before, although the spec is the same again',
      details: differences.slice(0, 8).map(differenceText),
    },
  ]
}

/** O5 and O10: what is left after the object is deleted. */
export function judgeDeletion(
  { state }: StepRun,
  { subject, retained }: { readonly subject: string; readonly retained: readonly string[] },
): Verdict[] {
  const objects = [...state.keys()]
  const owners = objects.filter((object) => object.startsWith(`${subject} `))
  if (owners.length > 0) {
    return [
      {
        oracle: 'O10',
        problem: 'the object is still terminating: its finalizer is not removed',
        details: owners,
      },
    ]
  }
  const left = objects.filter(
    (object) => !retained.some((bucket) => object.startsWith(`${bucket} `)),
  )
  if (left.length === 0) return []
  return [{ oracle: 'O5', problem: 'objects are left after their owner is deleted', details: left }]
}

/** Values of Secrets are hidden. */
function differenceText({ type, object, field, expected, actual }: Difference): string {
  if (type !== 'changed') return `${object} is ${type}`
  const isSecret = object.startsWith('/secrets ')
  const [before, after] = [expected, actual].map((text) =>
    text === undefined ? 'nothing' : isSecret ? '(hidden)' : text,
  )
  return `${object}: ${field ?? ''} is ${after ?? ''}, expected ${before ?? ''}`
}
