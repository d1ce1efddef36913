import type { Verdict } from '../report/finding.ts'
import type { StepRun } from '../world/step-run.ts'
import { firstOf } from './expectation.ts'

/** How often a process may end by itself before nothing changes any more. */
const endsMax = 3

/** O15: no programming error on a valid object, and no process that ends again and again. */
export function judgeCrashes({ errors }: StepRun): Verdict[] {
  const bugs = errors.filter(({ isBug }) => isBug)
  const ends = errors.filter(({ text }) => text.startsWith('the process '))
  const details = [...bugs, ...(ends.length > endsMax ? ends : [])].map(({ text }) => text)
  if (details.length === 0) return []
  return [
    { oracle: 'O15', problem: 'the program fails on a valid object', details: firstOf(details) },
  ]
}
