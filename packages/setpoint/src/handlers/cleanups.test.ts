/** Cleanups before an object is deleted, and their saved progress. */
import { testWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { data, isDeleted, notesOf, readyOf, Volume, createWorld } from './testdata/volumes-world.ts'

test('does not count failures from before a deletion as retries of a cleanup', async () => {
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
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(30_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(2_500)
  expect(await readyOf(world)).toBe('release: in use')
  await world.host.sleep(60_000)
  expect(calls).toBe(4)
  expect(await isDeleted(world)).toBe(true)
  expect(await notesOf(world)).toContain(
    'finalizer removed although its cleanup failed: release: in use',
  )
})

test('does not repeat a cleanup that succeeded while another fails, even after a restart', async () => {
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
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(15_000)
  expect(calls).toEqual(['one', 'two', 'two'])
  world.runs()
  await world.restart(volume)
  await world.host.sleep(60_000)
  expect(world.runs()).toBeLessThan(10)
  expect(calls).toEqual(['one', 'two', 'two', 'two', 'two', 'two', 'three'])
  expect(await isDeleted(world)).toBe(true)
})

test('does not repeat a cleanup while children terminate, and saves nothing when none are left', async () => {
  let calls = 0
  const cleaning = operator(Volume).onDelete(async () => void (calls += 1))
  const volume = cleaning.child('config', ConfigMap, { deletion: 'foreground' }, () => ({
    metadata: { finalizers: ['example.com/held'] },
  }))
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(5_000)
  await world.client.patch(ConfigMap, 'data', { merge: { metadata: { labels: { a: 'b' } } } })
  await world.host.sleep(5_000)
  expect([calls, await isDeleted(world)]).toEqual([1, false])
  await world.client.patch(ConfigMap, 'data', { merge: { metadata: { finalizers: [] } } })
  await world.host.sleep(5_000)
  expect([calls, await isDeleted(world)]).toEqual([1, true])
  await world.restart(cleaning)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  world.writes()
  await world.client.delete(Volume, 'data')
  await world.host.sleep(5_000)
  expect([calls, await isDeleted(world), world.writes()]).toEqual([2, true, 1])
})

test('when the object changes, retries a cleanup that threw RetryLaterError, without a write', async () => {
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
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two'])
  world.writes()
  await world.client.patch(ConfigMap, 'data', { merge: { data: { a: 'b' } } })
  await world.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two', 'two'])
  expect(world.writes()).toBe(0)
  await world.client.delete(ConfigMap, 'data')
  await world.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two', 'two', 'two'])
  expect(await isDeleted(world)).toBe(true)
})

test('retries a failed cleanup immediately and with all retries when the object changes', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async ({ spec }) => {
      calls.push(spec.mode)
      if (spec.mode !== 'free') throw new Error('in use')
    },
    { retries: 1, backoff: '1h' },
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(5_000)
  for (const mode of ['a', 'b', 'free']) {
    await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { mode } } } })
    await world.client.patch(Volume, 'data', { merge: { spec: { mode } } })
    await world.host.sleep(5_000)
  }
  expect(calls.filter((mode, at) => mode !== calls[at - 1])).toEqual(['rw', 'a', 'b', 'free'])
  expect(await isDeleted(world)).toBe(true)
  expect(await notesOf(world)).not.toContain(
    'finalizer removed although its cleanup failed: delete: in use',
  )
})

test('keeps the object of a cleanup that gives up, and retries it on the next change', async () => {
  const calls: string[] = []
  const volume = operator(Volume)
    .onDelete(async () => void calls.push('one'))
    .onDelete(
      async ({ spec }) => {
        calls.push(`two ${spec.mode}`)
        if (spec.mode !== 'free') throw new GiveUpError('still in use')
      },
      { retries: 0 },
    )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(600_000)
  expect(await readyOf(world)).toBe('still in use')
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'free' } } })
  await world.host.sleep(5_000)
  expect(calls).toEqual(['one', 'two rw', 'two free'])
  expect(await isDeleted(world)).toBe(true)
})

test('adds a finalizer only to objects that match the filters of a cleanup', async () => {
  const calls: string[] = []
  const volume = operator(Volume).onDelete(
    async ({ spec }) => {
      calls.push(spec.mode)
      if (calls.length < 2) throw new RetryLaterError('in use', { after: '1s' })
    },
    { labels: { team: 'a' }, field: 'spec.mode', value: 'rw' },
  )
  await using world = await createWorld(volume)
  const finalizers = async (): Promise<number> =>
    (await world.client.get(Volume, 'data')).metadata.finalizers?.length ?? 0
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  expect(await finalizers()).toBe(0)
  await world.client.patch(Volume, 'data', { merge: { metadata: { labels: { team: 'a' } } } })
  await world.host.sleep(5_000)
  expect(await finalizers()).toBe(1)
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'ro' } } })
  await world.host.sleep(5_000)
  expect(await finalizers()).toBe(0)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(5_000)
  expect([calls, await isDeleted(world)]).toEqual([[], true])
  await world.client.create(Volume, { ...data, metadata: { name: 'data', labels: { team: 'a' } } })
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(5_000)
  expect([calls, await isDeleted(world)]).toEqual([['rw', 'rw'], true])
})

test('calls a cleanup once when a child changes during it and watch events are late', async () => {
  let calls = 0
  let isLate = false
  const volume = operator(Volume)
    .child('config', ConfigMap, () => ({ data: { text: 'a' } }))
    .onDelete(async (_, { client }) => {
      calls += 1
      // This change enqueues the owner again.
      await client.patch(ConfigMap, 'data', { merge: { data: { other: 'b' } } })
    })
  await using world = await testWorld({
    operators: [volume],
    workloads: 'off',
    intercept: ({ kind, url = '' }) =>
      isLate && kind === 'response-chunk' && /volumes\?.*watch/.test(url)
        ? { delay: '1s' }
        : undefined,
  })
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  isLate = true
  await world.client.delete(Volume, 'data')
  await world.host.sleep(60_000)
  expect(calls).toBe(1)
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
})

test('calls a cleanup once when it deletes a child in another namespace and watch events are late', async () => {
  let calls = 0
  const volume = operator(Volume)
    .child('far', ConfigMap, { crossNamespace: true }, ({ metadata }) => ({
      metadata: { namespace: 'kube-public', name: metadata.name },
    }))
    .onDelete(async () => void (calls += 1))
  await using world = await testWorld({
    operators: [volume],
    workloads: 'off',
    intercept: ({ kind, url = '' }) =>
      kind === 'response-chunk' && /volumes\?.*watch/.test(url) ? { delay: '20ms' } : undefined,
  })
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.delete(Volume, 'data')
  await world.host.sleep(60_000)
  expect(calls).toBe(1)
  expect(await world.client.find(Volume, 'data')).toBeUndefined()
})

test.each(['request', 'response'] as const)(
  'calls a cleanup once when the write that removes the finalizer loses its %s',
  async (lost) => {
    let [calls, isLost] = [0, false]
    const volume = operator(Volume).onDelete(async () => void (calls += 1))
    await using world = await testWorld({
      operators: [volume],
      workloads: 'off',
      intercept: ({ kind, method, url = '' }) =>
        isLost && kind === lost && method === 'PATCH' && url.includes('/volumes/data')
          ? 'cut'
          : undefined,
    })
    await world.client.create(Volume, data)
    await world.host.sleep(5_000)
    isLost = true
    await world.client.delete(Volume, 'data')
    await world.host.sleep(60_000)
    isLost = false
    await world.host.sleep(300_000)
    expect(calls).toBe(1)
    expect(await world.client.find(Volume, 'data')).toBeUndefined()
  },
)

test('removes the finalizer when a daemon that no longer matches has ended', async () => {
  let finalizersAtEnd: readonly string[] | undefined
  const volume = operator(Volume).daemon(
    async (_, { signal, client }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      finalizersAtEnd = (await client.get(Volume, 'data')).metadata.finalizers
    },
    { field: 'spec.mode', value: 'rw' },
  )
  await using world = await createWorld(volume)
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'ro' } } })
  await world.host.sleep(5_000)
  expect(finalizersAtEnd).toHaveLength(1)
  expect((await world.client.get(Volume, 'data')).metadata.finalizers).toBeUndefined()
  world.writes()
  await world.restart(volume)
  await world.host.sleep(60_000)
  expect(world.writes()).toBe(0)
})

test('keeps a finalizer whose filter no longer matches while a child in another namespace exists', async () => {
  const far = { namespace: 'kube-public', name: 'data' }
  const volume = operator(Volume)
    .child('far', ConfigMap, { crossNamespace: true }, ({ spec }) =>
      spec.text === 'none' ? null : { metadata: far },
    )
    .onDelete(async () => undefined, { field: 'spec.mode', value: 'rw' })
  await using world = await createWorld(volume)
  const finalizers = async (): Promise<number> =>
    (await world.client.get(Volume, 'data')).metadata.finalizers?.length ?? 0
  await world.client.create(Volume, data)
  await world.host.sleep(5_000)
  await world.client.patch(Volume, 'data', { merge: { spec: { mode: 'ro' } } })
  await world.host.sleep(5_000)
  expect(await finalizers()).toBe(1)
  const held = { merge: { metadata: { finalizers: ['example.com/held'] } } }
  await world.client.patch(ConfigMap, far, held)
  await world.client.patch(Volume, 'data', { merge: { spec: { text: 'none' } } })
  await world.host.sleep(5_000)
  expect(await finalizers()).toBe(1)
  await world.client.patch(ConfigMap, far, { merge: { metadata: { finalizers: null } } })
  await world.host.sleep(5_000)
  expect(await world.client.find(ConfigMap, far)).toBeUndefined()
  expect(await finalizers()).toBe(0)
})

test.each(['20ms', '1s', '90s'] as const)(
  'removes a finalizer once after a retried cleanup when the watch events of the deletion are late by %s',
  async (delay) => {
    let [calls, isLate] = [0, false]
    const volume = operator(Volume)
      .child('config', ConfigMap, () => ({}))
      .onDelete(async () => {
        calls += 1
        if (calls === 1) throw new Error('in use')
      })
    await using world = await testWorld({
      operators: [volume],
      workloads: 'off',
      intercept: ({ kind, url = '' }) =>
        isLate && kind === 'response-chunk' && /volumes\?.*watch/.test(url) ? { delay } : undefined,
    })
    await world.client.create(Volume, data)
    await world.host.sleep(5_000)
    isLate = true
    await world.client.delete(Volume, 'data')
    // Each change of the child enqueues the owner, which the cache still has.
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await world.host.sleep(30_000)
      await world.client.patch(ConfigMap, 'data', { merge: { data: { text } } })
    }
    await world.host.sleep(300_000)
    const patches = world.cluster.trace.filter(
      ({ verb, path }) => verb === 'patch' && /volumes\/data(\?|$)/.test(path),
    )
    expect(patches.map(({ code }) => code)).toEqual([200, 200, 200])
    expect(calls).toBe(2)
    expect(await world.client.find(Volume, 'data')).toBeUndefined()
  },
)
