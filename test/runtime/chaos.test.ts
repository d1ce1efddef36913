import { expect, test } from 'vitest'
import { runSeed } from './chaos/run-seed.ts'

/** The seeds: a few, or those of `SETPOINT_CHAOS_SEEDS`: `100`, or `101-200`. */
const [first, last] = seedsOf(process.env['SETPOINT_CHAOS_SEEDS'] ?? '2')

function seedsOf(text: string): [first: number, last: number] {
  const [from = 1, to] = text.split('-').map(Number)
  return to === undefined ? [1, from] : [from, to]
}

for (let seed = first; seed <= last; seed += 1) {
  test(`converges after random faults (seed ${seed})`, async () => {
    const { wrong, log } = await runSeed(seed)
    // The history is long, and needed only for debugging.
    const history = process.env['SETPOINT_CHAOS_LOG'] === undefined ? [] : log
    expect(wrong, history.join('\n')).toEqual([])
  })
}
