import type { StoredChange } from '@setpoint/cluster'
import type { Verdict } from '../report/finding.ts'
import { canonicalText } from '../state/canonical-state.ts'
import type { StepRun } from '../world/step-run.ts'
import { firstOf } from './expectation.ts'

/** How often an object may return to a state that it has left, in each step of users. */
const returnsMaxPerStep = 4

/** O11: no object that the program writes goes back and forth between two states. */
export function judgeFieldWar({ steps, changes, writes }: StepRun): Verdict[] {
  const histories = new Map<string, StoredChange[]>()
  const returnsMax = returnsMaxPerStep * steps.length
  const own = new Set(writes.map(({ bucket }) => bucket))
  for (const change of changes) {
    if (!own.has(change.bucket)) continue
    const name = `${change.bucket} ${change.current.key}`
    histories.set(name, change.type === 'deleted' ? [] : [...(histories.get(name) ?? []), change])
  }
  const details = [...histories].flatMap(([name, history]) => {
    if (history.length <= returnsMax) return []
    const states = statesOf(history)
    const returns = states.filter((state, index) => index >= 2 && state === states[index - 2])
    return returns.length > returnsMax
      ? [`${name} returned ${returns.length} times to an earlier state`]
      : []
  })
  if (details.length === 0) return []
  return [
    {
      oracle: 'O11',
      problem:
        'an object goes back and forth between two states: two writers want different values',
      details: firstOf(details),
    },
  ]
}

/** The states of an object, without changes that change nothing that counts. */
function statesOf(history: readonly StoredChange[]): string[] {
  const texts = history.map(({ current }) => canonicalText(current.text))
  return texts.filter((text, index) => text !== texts[index - 1])
}
