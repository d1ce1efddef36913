import type { Verdict } from '../report/finding.ts'
import { isRefused, writeText } from '../world/recording.ts'
import type { StepRun } from '../world/step-run.ts'
import { firstOf } from './expectation.ts'

/** O12: a program that starts at a fixed point has nothing to do. */
export function judgeStart(
  { startWrites, wasMoving }: StepRun,
  { heartbeats }: { readonly heartbeats: readonly string[] },
): Verdict[] {
  // Then the program may follow something that changed.
  if (wasMoving) return []
  const own = startWrites.filter(({ bucket }) => !heartbeats.includes(bucket))
  const changes = own.filter((write) => !isRefused(write))
  // While the API server refuses a write, a new process finds that out again, and says so.
  if (changes.length === 0 || changes.length < own.length) return []
  return [
    {
      oracle: 'O12',
      problem: 'the program writes when it is restarted, although nothing has changed',
      details: firstOf(changes.map(writeText)),
    },
  ]
}
