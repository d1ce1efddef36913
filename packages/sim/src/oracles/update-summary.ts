import type { CanonicalState } from '../state/canonical-state.ts'
import type { Verdict } from '../report/finding.ts'
import { type RecordedWrite, writeText } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import { type Expectation, firstOf } from './expectation.ts'

/** O3: the program deletes, creates and replaces the objects that it does without faults. */
export function judgeUpdates(run: StepRun, expected: Expectation): Verdict[] {
  const details = [
    ...unusualDeletions(run, expected),
    ...unusualCreations(run, expected),
    ...unusualReplacements(run, expected),
  ]
  if (details.length === 0) return []
  return [
    {
      oracle: 'O3',
      problem:
        'the program deletes, creates or replaces other objects than in a run without faults',
      details: firstOf(details),
    },
  ]
}

/** Deletions of objects that the program keeps without faults. */
function unusualDeletions(run: StepRun, { reference, recreated, before }: Expectation): string[] {
  const usual = new Set(deletions(reference).map(({ key, bucket }) => `${bucket} ${key}`))
  const isKept = ({ bucket, key }: RecordedWrite): boolean =>
    before.has(`${bucket} ${key}`) || reference.state.has(`${bucket} ${key}`)
  return deletions(run)
    .filter((write) => !recreated.includes(write.bucket))
    .filter((write) => !usual.has(`${write.bucket} ${write.key}`) && isKept(write))
    .map(writeText)
}

function deletions({ writes }: StepRun): RecordedWrite[] {
  return writes.filter((write) => write.verb === 'delete' && write.change !== undefined)
}

/** Objects that exist only because of the faults, even if the program removes them later. */
function unusualCreations(run: StepRun, expected: Expectation): string[] {
  const { reference, before, recreated, plan, unstable } = expected
  // Users who undo a step while it is executed cause creations and deletions of their own.
  if (plan.faults.some(({ type }) => type === 'next-step' || type === 'absent')) return []
  const usual = createdKeys(reference)
  const surplus = new Map<string, number>()
  for (const [bucket, keys] of createdKeys(run)) {
    const known = [...keys].filter((key) => before.has(`${bucket} ${key}`)).length
    const extra = keys.size - known - (usual.get(bucket)?.size ?? 0)
    if (extra > 0 && !recreated.includes(bucket) && !unstable.has(`create ${bucket}`)) {
      surplus.set(bucket, extra)
    }
  }
  return [...surplus].map(([bucket, count]) => `${count} more objects of ${bucket} are created`)
}

/** The keys of the objects that the program created, by resource. */
export function createdKeys({ writes }: Pick<StepRun, 'writes'>): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>()
  for (const { change, bucket } of writes) {
    if (change?.type !== 'created') continue
    keys.set(bucket, (keys.get(bucket) ?? new Set()).add(change.current.key))
  }
  return keys
}

/** Objects that are new since the steps began, or not, unlike without faults. */
function unusualReplacements(run: StepRun, expected: Expectation): string[] {
  const { reference, before, ownBefore, recreated, unstable, plan } = expected
  if (
    plan.faults.some(({ type }) => type === 'next-step' || type === 'absent' || type === 'relist')
  ) {
    return []
  }
  const isReplaced = (
    from: CanonicalState,
    state: CanonicalState,
    name: string,
  ): boolean | undefined => {
    const [old, now] = [from.get(name), state.get(name)]
    return old === undefined || now === undefined ? undefined : old.uid !== now.uid
  }
  return [...before.keys()].flatMap((name) => {
    const usual = isReplaced(before, reference.state, name)
    const actual = isReplaced(ownBefore, run.state, name)
    if (usual === undefined || actual === undefined || usual === actual) return []
    if (unstable.has(`replaced ${name}`)) return []
    if (actual && recreated.some((bucket) => name.startsWith(`${bucket} `))) return []
    return [actual ? `${name} is replaced` : `${name} is not replaced, although it has to be`]
  })
}
