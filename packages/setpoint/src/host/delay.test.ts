import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longTimer } from './delay.ts'
import { virtualHost } from './index.ts'

/** Timers that refuse delays which `setTimeout` would handle wrongly. */
function limited(stepMsMax: number) {
  const host = virtualHost({ seed: 1, autoAdvance: false, startTime: 0 })
  return {
    host,
    stepMsMax,
    setTimer: (delayMs: number, run: () => void) => {
      if (delayMs > stepMsMax) throw new Error(`${delayMs} overflows`)
      return host.setTimer(delayMs, run)
    },
  }
}

test('fires a long timer exactly when it is due', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(500), fc.integer({ min: 1, max: 100 }), async (delayMs, stepMsMax) => {
      const timers = limited(stepMsMax)
      let ranAtMs = -1
      longTimer(timers, delayMs, () => {
        ranAtMs = timers.host.now()
      })
      await timers.host.advance(600)
      expect(ranAtMs).toBe(delayMs)
    }),
    { numRuns: 50 },
  )
})

test('cancels a long timer in any of its steps', async () => {
  const timers = limited(10)
  let isFired = false
  const timer = longTimer(timers, 35, () => (isFired = true))
  await timers.host.advance(25)
  timer.cancel()
  await timers.host.advance(100)
  expect(isFired).toBe(false)
  expect(timers.host.trace).toHaveLength(2)
})
