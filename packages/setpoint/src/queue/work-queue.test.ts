import fc from 'fast-check'
import { expect, test } from 'vitest'
import { virtualHost } from '../host/index.ts'
import { WorkQueue } from './index.ts'

const done = { type: 'done' } as const
const failed = { type: 'failed', reason: 'retry' } as const

function queue(options: ConstructorParameters<typeof WorkQueue>[1] = {}) {
  const host = virtualHost({ seed: 1 })
  return { host, work: new WorkQueue<string>(host, options) }
}

test('hands out a key once with all reasons of its additions', async () => {
  const { work } = queue()
  for (const reason of ['a', 'b', 'c']) work.add('k', reason)
  expect(work.depth).toBe(1)
  expect(await work.take()).toMatchObject({ key: 'k', reasons: ['a', 'b', 'c'], failures: 0 })
  expect(work.depth).toBe(0)
})

test('requeues a key that is added while its reconcile runs, and only once', async () => {
  const { host, work } = queue()
  work.add('k', 'first')
  await work.take()
  work.add('k', 'second')
  work.add('k', 'third')
  let isTaken = false
  const next = work.take().then((taken) => {
    isTaken = true
    return taken
  })
  await host.settle()
  expect(isTaken).toBe(false)
  work.finish('k', done)
  expect((await next)?.reasons).toEqual(['second', 'third'])
  work.finish('k', done)
  expect(work.size).toBe(0)
})

test('absorbs reasons that arrive before the reconcile reads the cache', async () => {
  const { work } = queue()
  work.add('k', 'first')
  await work.take()
  work.add('k', 'second')
  expect(work.absorb('k')).toEqual(['second'])
  expect(work.absorb('k')).toEqual([])
  work.finish('k', done)
  expect(work.size).toBe(0)
  work.add('k', 'first')
  await work.take()
  work.absorb('k')
  work.add('k', 'later')
  work.finish('k', done)
  expect((await work.take())?.reasons).toEqual(['later'])
})

test('does not requeue a key whose new reasons are echoes of own writes', async () => {
  const { work } = queue()
  work.add('k', 'first')
  await work.take()
  work.add('k', 'echo')
  work.finish('k', done, (reason) => reason !== 'echo')
  expect(work.size).toBe(0)
  work.add('k', 'first')
  await work.take()
  work.add('k', 'echo')
  work.add('k', 'news')
  work.finish('k', done, (reason) => reason !== 'echo')
  expect((await work.take())?.reasons).toEqual(['news'])
})

test('keeps the place of a key that is added again', async () => {
  const { work } = queue()
  for (const key of ['a', 'b', 'a']) work.add(key, 'x')
  expect((await work.take())?.key).toBe('a')
})

test('hands out fresh keys before background keys', async () => {
  const { work } = queue()
  work.add('old', 'list', 'background')
  work.add('older', 'list', 'background')
  work.add('new', 'change')
  work.add('older', 'change')
  const order = [await work.take(), await work.take(), await work.take()]
  expect(order.map((taken) => taken?.key)).toEqual(['new', 'older', 'old'])
})

test('alternates between namespaces when isFair is set', async () => {
  const { work } = queue({ isFair: true })
  for (const key of ['a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'b/2']) work.add(key, 'x')
  const order: (string | undefined)[] = []
  for (let count = 0; count < 6; count += 1) order.push((await work.take())?.key)
  expect(order).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3'])
})

test('backs off a failing key, and resets the backoff after a success', async () => {
  const { host, work } = queue({ backoff: { first: 100, max: 1000 } })
  work.add('k', 'x')
  const waits: number[] = []
  for (let failures = 0; failures < 6; failures += 1) {
    const startMs = host.monotonicMs()
    expect((await work.take())?.failures).toBe(failures)
    waits.push(host.monotonicMs() - startMs)
    work.finish('k', failed)
  }
  const expected = [0, 100, 200, 400, 800, 1000]
  waits.forEach((wait, index) => {
    expect(wait).toBeGreaterThanOrEqual((expected[index] ?? 0) * 0.9)
    expect(wait).toBeLessThanOrEqual((expected[index] ?? 0) * 1.1 + 1)
  })
  await work.take()
  work.finish('k', done)
  work.add('k', 'x')
  expect((await work.take())?.failures).toBe(0)
})

test('backs off a key that is not ready yet without counting a failure', async () => {
  const { host, work } = queue({ backoff: { first: 100, max: 1000 } })
  work.add('k', 'x')
  for (let delays = 0; delays < 4; delays += 1) {
    expect((await work.take())?.failures).toBe(0)
    work.finish('k', { type: 'later', reason: 'retry' })
  }
  expect(work.failing()).toEqual(new Map([['k', 4]]))
  const startMs = host.monotonicMs()
  await work.take()
  expect(host.monotonicMs() - startMs).toBeGreaterThanOrEqual(720)
  work.finish('k', failed)
  expect((await work.take())?.failures).toBe(1)
  work.finish('k', done)
  expect(work.failing()).toEqual(new Map())
})

test('does not grow the backoff of a key that asks for explicit delays', async () => {
  const { host, work } = queue({ backoff: { first: 100, max: 100_000 } })
  work.add('k', 'x')
  for (let polls = 0; polls < 30; polls += 1) {
    await work.take()
    work.finish('k', { type: 'later', reason: 'not there yet', afterMs: 1_000 })
  }
  await work.take()
  work.finish('k', failed)
  const startMs = host.monotonicMs()
  await work.take()
  expect(host.monotonicMs() - startMs).toBeLessThanOrEqual(220)
})

test('reconciles a failing key immediately on an event without growing its backoff', async () => {
  const { work } = queue()
  work.add('k', 'x')
  await work.take()
  work.finish('k', failed)
  for (let count = 0; count < 10; count += 1) {
    work.add('k', 'event')
    expect((await work.take())?.failures).toBe(1)
    work.finish('k', failed)
  }
  expect((await work.take())?.reasons).toEqual(['retry'])
  work.finish('k', failed)
  expect((await work.take())?.failures).toBe(2)
})

test('grows the backoff although each reconcile receives the echo of its own writes', async () => {
  const { work } = queue()
  work.add('k', 'change')
  for (let failures = 0; failures < 5; failures += 1) {
    expect((await work.take())?.failures).toBe(failures)
    work.add('k', 'echo')
    work.finish('k', failed, (reason) => reason !== 'echo')
  }
})

test('requeues a rechecked key after its delay, or earlier on another reason', async () => {
  const { host, work } = queue()
  work.add('k', 'x')
  await work.take()
  work.finish('k', { type: 'recheck', reason: 'timer', afterMs: 5000 })
  expect((await work.take())?.reasons).toEqual(['timer'])
  expect(host.monotonicMs()).toBe(5000)
  work.finish('k', { type: 'recheck', reason: 'timer', afterMs: 5000 })
  host.setTimer(1000, () => work.add('k', 'event'))
  expect((await work.take())?.reasons).toEqual(['event'])
  work.finish('k', done)
  await host.sleep(10_000)
  expect(work.size).toBe(0)
})

test('keeps a limited number of reasons and counts the others', async () => {
  const { work } = queue({ reasonsMax: 2 })
  for (const reason of ['a', 'b', 'c', 'd']) work.add('k', reason)
  expect(await work.take()).toMatchObject({ reasons: ['a', 'b'], droppedReasons: 2 })
})

test('hands out nothing after close and releases waiting workers', async () => {
  const { host, work } = queue()
  const waiting = work.take()
  work.addAfter('k', 100, 'x')
  work.close()
  work.add('l', 'x')
  expect(await waiting).toBeUndefined()
  expect(await work.take()).toBeUndefined()
  await host.sleep(1000)
  expect(work.depth).toBe(0)
})

test('never processes a key twice at the same time and loses none under random additions', async () => {
  const step = fc.record({
    key: fc.constantFrom('a/1', 'a/2', 'b/1'),
    delayMs: fc.integer({ min: 0, max: 50 }),
    outcome: fc.constantFrom(done, failed),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, isFair) => {
      const { host, work } = queue({ isFair, backoff: { first: 10, max: 40 } })
      const running = new Set<string>()
      const seen = new Map<string, number>()
      const outcomes = steps.map(({ outcome }) => outcome)
      const overlapping: string[] = []
      const worker = async (): Promise<void> => {
        for (;;) {
          const taken = await work.take()
          if (taken === undefined) return
          if (running.has(taken.key)) overlapping.push(taken.key)
          running.add(taken.key)
          const count = taken.reasons.filter((reason) => reason === 'add').length
          seen.set(taken.key, (seen.get(taken.key) ?? 0) + count + taken.droppedReasons)
          await host.sleep(7)
          running.delete(taken.key)
          work.finish(taken.key, outcomes.pop() ?? done)
        }
      }
      const workers = [worker(), worker()]
      const added = new Map<string, number>()
      for (const { key, delayMs } of steps) {
        work.add(key, 'add')
        added.set(key, (added.get(key) ?? 0) + 1)
        await host.sleep(delayMs)
      }
      await host.sleep(10_000)
      work.close()
      await Promise.all(workers)
      expect(overlapping).toEqual([])
      expect(seen).toEqual(added)
      expect(work.size).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('counts how often a key became due, not its additions', async () => {
  const { work } = queue()
  work.add('a', 'x')
  work.add('a', 'y')
  work.add('b', 'x')
  expect(work.added).toBe(2)
  await work.take()
  work.add('a', 'echo')
  work.finish('a', done, (reason) => reason !== 'echo')
  expect(work.added).toBe(2)
  await work.take()
  work.add('b', 'news')
  work.finish('b', done)
  expect(work.added).toBe(3)
})

test('collects changes within the gather time into one reconcile', async () => {
  const { host, work } = queue({ gather: 10 })
  work.add('k', 'first')
  expect([work.depth, work.gathering]).toEqual([0, 1])
  await host.sleep(5)
  work.add('k', 'second')
  await host.sleep(5)
  expect([work.depth, work.gathering]).toEqual([1, 0])
  expect((await work.take())?.reasons).toEqual(['first', 'second'])
  work.add('k', 'third')
  work.finish('k', done)
  expect([work.depth, work.gathering]).toEqual([0, 1])
  await host.sleep(10)
  expect((await work.take())?.reasons).toEqual(['third'])
  work.finish('k', failed)
  work.add('k', 'fourth')
  await host.sleep(10)
  expect(await work.take()).toMatchObject({ reasons: ['fourth'], failures: 1 })
  work.finish('k', done)
  expect([work.size, work.gathering]).toEqual([0, 0])
})
