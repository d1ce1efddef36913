import type { Verdict } from '../report/finding.ts'
import type { CanonicalState } from '../state/canonical-state.ts'
import type { StepRun } from '../world/step-run.ts'
import { type Declarations, firstOf } from './expectation.ts'

/** O5 and O10: what is left after the object is deleted. */
export function judgeDeletion(
  { state }: StepRun,
  { subject, retained }: Declarations,
  others: CanonicalState = new Map(),
): Verdict[] {
  const objects = [...state.keys()].filter((object) => !others.has(object))
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

/** O10: a process that has released its owner creates nothing for it any more. */
export function judgeResurrection({ writes }: StepRun, subject: string): Verdict[] {
  const release = writes.find(
    ({ bucket, change }) => bucket === subject && change?.type === 'deleted',
  )
  if (release === undefined) return []
  const uid = `"${uidOf(release.change?.current.text ?? '')}"`
  const late = writes.filter(
    ({ change, process, number }) =>
      process === release.process &&
      number > release.number &&
      change?.type === 'created' &&
      change.current.text.includes(uid),
  )
  if (late.length === 0) return []
  return [
    {
      oracle: 'O10',
      problem: 'the program removes its finalizer, and then creates objects for the deleted owner',
      details: firstOf(late.map(({ bucket, change }) => `${bucket} ${change?.current.key ?? ''}`)),
    },
  ]
}

function uidOf(text: string): string {
  const { metadata } = JSON.parse(`{${text}`) as { readonly metadata: { readonly uid: string } }
  return metadata.uid
}
