import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { SharedTurns } from './shared-turns.ts'

test('callers begin their steps in turns of a limited cost', async () => {
  const host = nodeHost()
  const turns = new SharedTurns(host, 100)
  let begun = 0
  const steps = Array.from({ length: 10 }, async () => {
    await turns.take(50)
    begun += 1
  })
  const begunAt: number[] = []
  while (begun < 10) {
    await host.sleep(0)
    begunAt.push(begun)
  }
  await Promise.all(steps)
  expect(begunAt.length).toBeGreaterThan(2)
})

test('a step with a larger cost than the limit begins alone', async () => {
  const turns = new SharedTurns(nodeHost(), 100)
  expect(turns.take(1_000)).toBeUndefined()
  await expect(turns.take(1_000)).resolves.toBeUndefined()
})
