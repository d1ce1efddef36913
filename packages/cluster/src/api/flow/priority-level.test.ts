import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { virtualHost } from 'setpoint/host'
import { PriorityLevel } from './priority-level.ts'

test('requests above the seats wait in the order of their flow, and flows take turns', async () => {
  using host = virtualHost({ seed: 1 })
  const level = new PriorityLevel(host, { seats: 1, waitingMax: 3, waitMsMax: 10_000 })
  const started: string[] = []
  const ask = async (flow: string, name: string): Promise<void> => {
    if (await level.take(flow)) started.push(name)
  }
  const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('b', 'b2')]
  await Promise.resolve()
  expect(started).toEqual(['a1'])
  for (let finished = 0; finished < 5; finished += 1) {
    level.release()
    await host.sleep(1)
  }
  await Promise.all(asked)
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('a full queue refuses immediately, and a long wait ends with a refusal', async () => {
  using host = virtualHost({ seed: 1 })
  const level = new PriorityLevel(host, { seats: 1, waitingMax: 1, waitMsMax: 5_000 })
  expect(level.take('a')).toBe(true)
  const waiting = level.take('a')
  expect(level.take('a')).toBe(false)
  const startMs = host.now()
  expect(await waiting).toBe(false)
  expect(host.now() - startMs).toBe(5_000)
  level.release()
  expect(level.take('b')).toBe(true)
})

test('never more requests run than there are seats, and all seats come back', async () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20))
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, seats) => {
        using host = virtualHost({ seed: 1 })
        const level = new PriorityLevel(host, { seats, waitingMax: 5, waitMsMax: 50 })
        let running = 0
        let most = 0
        await Promise.all(
          steps.map(async ([flow, durationMs]) => {
            if (!(await level.take(flow))) return
            running += 1
            most = Math.max(most, running)
            await host.sleep(durationMs)
            running -= 1
            level.release()
          }),
        )
        expect(most).toBeLessThanOrEqual(seats)
        for (let seat = 0; seat < seats; seat += 1) expect(level.take('z')).toBe(true)
      },
    ),
    { numRuns: 50 },
  )
})
