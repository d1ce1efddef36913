/** What happens before an object is gone, and what of it is remembered. */
import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { data, isGone, notesOf, readyOf, Volume, world } from './testdata/volumes-world.ts'

test('failures of before a deletion do not count against the retries of a cleanup', async () => {
  let calls = 0
  const volume = operator(Volume)
    .reconcile(async () => {
      throw new Error('no')
    })
    .onDelete(
      async () => {
        calls += 1
        throw new Error('in use')
      },
      { id: 'release', retries: 3 },
    )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(30_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(2_500)
  expect(await readyOf(it)).toBe('release: in use')
  await it.host.sleep(60_000)
  expect(calls).toBe(4)
  expect(await isGone(it)).toBe(true)
  expect(await notesOf(it)).toContain('let go without its cleanup: release: in use')
})

test('a cleanup that succeeded is not repeated while another fails, also over a restart', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onDelete(async () => void calls.push('one'))
    .onDelete(
      async () => {
        calls.push('two')
        if (calls.length < 6) throw new Error('in use')
      },
      { backoff: '10s' },
    )
    .onDelete(async () => void calls.push('three'))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(15_000)
  expect(calls).toEqual(['one', 'two', 'two'])
  it.runs()
  await it.restart(volume)
  await it.host.sleep(60_000)
  expect(it.runs()).toBeLessThan(10)
  expect(calls).toEqual(['one', 'two', 'two', 'two', 'two', 'two', 'three'])
  expect(await isGone(it)).toBe(true)
})

test('a cleanup that succeeded is not repeated while children go, and costs no write when nothing is left', async () => {
  let calls = 0
  const cleaning = operator(Volume).onDelete(async () => void (calls += 1))
  const volume = cleaning.child('config', ConfigMap, { deletion: 'foreground' }, () => ({
    metadata: { finalizers: ['example.com/held'] },
  }))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  await it.client.patch(ConfigMap, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([1, false])
  await it.client.patch(ConfigMap, 'data', { merge: { metadata: { finalizers: [] } } })
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([1, true])
  await it.restart(cleaning)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  it.writes()
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect([calls, await isGone(it), it.writes()]).toEqual([2, true, 1])
})

test('a cleanup that asks for more time is called when something changes, and costs no write', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .owns(ConfigMap)
    .onDelete(async () => void calls.push('one'))
    .onDelete(async ({ metadata }, ctx) => {
      calls.push('two')
      const config = ctx.get(ConfigMap, metadata.name)
      if (config !== undefined) throw new RetryLaterError('it is in use', { after: '1h' })
    })
    .reconcile(async (_, ctx) => void (await ctx.apply(ConfigMap, {})))
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two'])
  it.writes()
  await it.client.patch(ConfigMap, 'data', { merge: { data: { a: 'b' } } })
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two', 'two'])
  expect(it.writes()).toBe(0)
  await it.client.delete(ConfigMap, 'data')
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two', 'two', 'two'])
  expect(await isGone(it)).toBe(true)
})

test('a cleanup that failed is tried at once, and with all its retries, when the object changes', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async ({ spec }) => {
      calls.push(spec.mode)
      if (spec.mode !== 'free') throw new Error('in use')
    },
    { retries: 1, backoff: '1h' },
  )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  for (const mode of ['a', 'b', 'free']) {
    await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { mode } } } })
    await it.client.patch(Volume, 'data', { merge: { spec: { mode } } })
    await it.host.sleep(5_000)
  }
  expect(calls.filter((mode, at) => mode !== calls[at - 1])).toEqual(['rw', 'a', 'b', 'free'])
  expect(await isGone(it)).toBe(true)
  expect(await notesOf(it)).not.toContain('let go without its cleanup: delete: in use')
})

test('a cleanup that gives up keeps its object, and is tried again at the next change', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onDelete(async () => void calls.push('one'))
    .onDelete(
      async ({ spec }) => {
        calls.push(`two ${spec.mode}`)
        if (spec.mode !== 'free') throw new GiveUpError('somebody has to free it')
      },
      { retries: 0 },
    )
  await using it = await world(volume)
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(600_000)
  expect(await readyOf(it)).toBe('somebody has to free it')
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'free' } } })
  await it.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two rw', 'two free'])
  expect(await isGone(it)).toBe(true)
})

test('a cleanup is for the objects its filters say: others get no finalizer', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async ({ spec }) => {
      calls.push(spec.mode)
      if (calls.length < 2) throw new RetryLaterError('in use', { after: '1s' })
    },
    { labels: { team: 'a' }, field: 'spec.mode', value: 'rw' },
  )
  await using it = await world(volume)
  const finalizers = async (): Promise<number> =>
    (await it.client.get(Volume, 'data')).metadata.finalizers?.length ?? 0
  await it.client.create(Volume, data)
  await it.host.sleep(5_000)
  expect(await finalizers()).toBe(0)
  await it.client.patch(Volume, 'data', { merge: { metadata: { labels: { team: 'a' } } } })
  await it.host.sleep(5_000)
  expect(await finalizers()).toBe(1)
  await it.client.patch(Volume, 'data', { merge: { spec: { mode: 'ro' } } })
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([[], true])
  await it.client.create(Volume, { ...data, metadata: { name: 'data', labels: { team: 'a' } } })
  await it.host.sleep(5_000)
  await it.client.delete(Volume, 'data')
  await it.host.sleep(5_000)
  expect([calls, await isGone(it)]).toEqual([['rw', 'rw'], true])
})
