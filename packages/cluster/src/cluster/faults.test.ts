import { describe, expect, test } from 'vitest'
import { Client, connectionFromKubeconfig, type WatchEvent } from 'setpoint/client'
import { nodeHost, virtualHost, type Host } from 'setpoint/host'
import { ConfigMap, Secret } from 'setpoint/kinds'
import { createCluster, type Cluster, type ClusterOptions } from './index.ts'

/** A cluster without controllers, in virtual time. */
async function createWorld(seed: string, options: Pick<ClusterOptions, 'onChange'> = {}) {
  const host = virtualHost({ seed })
  const base = { host, workloads: 'off', auth: 'off', tls: 'off' } as const
  const cluster = await createCluster({ ...base, ...options })
  const { client, faults } = cluster
  const make = (name: string) => client.create(ConfigMap, { metadata: { name }, data: { k: '1' } })
  return {
    host,
    cluster,
    client,
    faults,
    make,
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/** The answer to one request; the client would repeat it after some errors. */
async function answerOf(
  { host, cluster }: { readonly host: Host; readonly cluster: Cluster },
  path: string,
  method = 'GET',
) {
  const response = await host.request({ method, url: cluster.url + path })
  return { status: response.status, retryAfter: response.headers['retry-after'] }
}

const data = (value: string) => ({ merge: { data: { k: value } } })

describe('answers', () => {
  test('a conflict is answered once, and the object is not changed', async () => {
    await using world = await createWorld('conflict')
    const { client, faults, make } = world
    await make('a')
    faults.answer({ kind: ConfigMap, verb: 'patch' }, 409)
    await expect(client.patch(ConfigMap, 'a', data('2'))).rejects.toMatchObject({
      code: 'API_CONFLICT',
      message: expect.stringContaining('the object has been modified') as string,
    })
    expect((await client.get(ConfigMap, 'a')).data).toEqual({ k: '1' })
    expect((await client.patch(ConfigMap, 'a', data('2'))).data).toEqual({ k: '2' })
  })

  test.each([429, 500, 503, 504] as const)('%d is answered to any request', async (code) => {
    await using world = await createWorld('errors')
    const { faults } = world
    faults.answer({ kind: ConfigMap }, code, { retryAfter: '7s' })
    const path = '/api/v1/namespaces/default/configmaps'
    const hasRetryAfter = code === 429 || code === 503
    expect(await answerOf(world, path)).toEqual({
      status: code,
      retryAfter: hasRetryAfter ? '7' : undefined,
    })
    expect((await answerOf(world, path)).status).toBe(200)
  })

  test('a page of a list expires', async () => {
    await using world = await createWorld('expired page')
    const { cluster, faults, make } = world
    await make('a')
    await make('b')
    faults.answer({ kind: ConfigMap, verb: 'list' }, 410)
    const path = '/api/v1/namespaces/default/configmaps?limit=1'
    expect((await answerOf(world, path)).status).toBe(200)
    const listed = await world.client.listAll(ConfigMap, { pageSize: 1 })
    expect(listed.map(({ metadata }) => metadata.name)).toContain('b')
    expect(cluster.trace.filter(({ code }) => code === 410)).toHaveLength(1)
  })

  test('an answer that no server gives is refused', async () => {
    await using world = await createWorld('illegal')
    expect(() => world.faults.answer({ verb: 'create' }, 409)).toThrow(
      'an API server answers only update and patch with 409, not create',
    )
  })

  test('a fault is about the requests that match, as often as requested', async () => {
    await using world = await createWorld('times')
    const { client, faults, make } = world
    await make('a')
    await make('b')
    faults.answer({ kind: ConfigMap, verb: ['update', 'patch'], name: 'a' }, 409, { times: 2 })
    await client.create(Secret, { metadata: { name: 'a' } })
    await client.patch(ConfigMap, 'b', data('2'))
    for (let time = 0; time < 2; time += 1) {
      await expect(client.patch(ConfigMap, 'a', data('2'))).rejects.toMatchObject({
        code: 'API_CONFLICT',
      })
    }
    await client.patch(ConfigMap, 'a', data('2'))
  })

  test('a disposed fault has no effect', async () => {
    await using world = await createWorld('disposed')
    const { client, faults, make } = world
    await make('a')
    {
      using _fault = faults.answer({ verb: 'patch' }, 409, { times: 100 })
      await expect(client.patch(ConfigMap, 'a', data('2'))).rejects.toMatchObject({
        code: 'API_CONFLICT',
      })
    }
    faults.answer({ verb: 'patch' }, 409)
    faults.clear()
    await client.patch(ConfigMap, 'a', data('2'))
  })
})

describe('connections', () => {
  test('a write is executed although its answer is lost', async () => {
    await using world = await createWorld('lost answer')
    const { client, faults, make } = world
    faults.loseAnswer({ kind: ConfigMap, verb: 'create' })
    await expect(make('a')).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
    expect((await client.get(ConfigMap, 'a')).data).toEqual({ k: '1' })
  })

  test('a lost request is not executed', async () => {
    await using world = await createWorld('lost request')
    const { client, faults, make } = world
    faults.loseRequest({ kind: ConfigMap, verb: 'create' })
    await expect(make('a')).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
    await expect(client.get(ConfigMap, 'a')).rejects.toMatchObject({ code: 'API_NOT_FOUND' })
  })

  test('a client that gets no answer gives up, and the write is there', async () => {
    await using world = await createWorld('silent')
    const { client, faults, make } = world
    faults.loseAnswer({ verb: 'create' }, { how: 'silent' })
    await expect(make('a')).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
    await client.get(ConfigMap, 'a')
  })

  test('a delayed request is executed after its client has given up', async () => {
    await using world = await createWorld('delayed')
    const { host, client, faults, make } = world
    faults.delayRequest({ verb: 'create' }, '60s')
    await expect(make('a')).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
    await expect(client.get(ConfigMap, 'a')).rejects.toMatchObject({ code: 'API_NOT_FOUND' })
    await host.sleep(60_000)
    await client.get(ConfigMap, 'a')
  })

  test('connections break on sockets too', async () => {
    await using cluster = await createCluster({ host: nodeHost(), workloads: 'off' })
    cluster.faults.loseAnswer({ kind: ConfigMap, verb: 'create' })
    const made = cluster.client.create(ConfigMap, { metadata: { name: 'a' } })
    await expect(made).rejects.toMatchObject({ code: 'WRITE_OUTCOME_UNKNOWN' })
    await cluster.client.get(ConfigMap, 'a')
    const events = cluster.client.watch(ConfigMap, { namespace: 'default' })
    await events.next()
    const next = events.next()
    cluster.faults.endWatches({ kind: ConfigMap }, 'reset')
    await expect(next).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  })
})

/** The next event in short, or how the watch ended. */
async function nextOf(events: AsyncIterator<WatchEvent<ConfigMap>>): Promise<string> {
  try {
    const result = await events.next()
    if (result.done === true) return 'closed'
    const event = result.value
    return event.type === 'BOOKMARK' ? 'BOOKMARK' : `${event.type} ${event.object.metadata.name}`
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('watches', () => {
  test.each([
    ['closed', 'closed'],
    ['reset', 'NETWORK_CONNECTION_LOST'],
    ['expired', 'API_EXPIRED'],
  ] as const)('an open watch ends as %s', async (how, end) => {
    await using world = await createWorld('watch ends')
    const { client, faults, make } = world
    await make('a')
    const events = client.watch(ConfigMap, { namespace: 'default' })
    expect(await nextOf(events)).toBe('ADDED a')
    const next = nextOf(events)
    faults.endWatches({ kind: Secret }, how)
    await make('b')
    expect(await next).toBe('ADDED b')
    const last = nextOf(events)
    faults.endWatches({ kind: ConfigMap }, how)
    expect(await last).toBe(end)
  })

  test('a stalled watch gets nothing until the fault ends', async () => {
    await using world = await createWorld('stall')
    const { host, client, faults, make } = world
    await make('a')
    const events = client.watch(ConfigMap, { namespace: 'default' })
    expect(await nextOf(events)).toBe('ADDED a')
    const stall = faults.stallWatches({ kind: ConfigMap })
    let arrived: string | undefined
    const next = nextOf(events).then((event) => (arrived = event))
    await make('b')
    await host.sleep(10_000)
    expect(arrived).toBeUndefined()
    stall[Symbol.dispose]()
    expect(await next).toBe('ADDED b')
    await events.return()
  })

  test('held events of one kind arrive later, in order, and those of others do not wait', async () => {
    await using world = await createWorld('hold')
    const { host, client, faults, make } = world
    const events = client.watch(ConfigMap, {
      resourceVersion: (await make('a')).metadata.resourceVersion,
    })
    const secrets = client.watch(Secret)
    const hold = faults.holdEvents({ kind: ConfigMap })
    await make('b')
    await client.patch(ConfigMap, 'b', data('2'))
    await client.create(Secret, { metadata: { name: 's' } })
    expect((await secrets.next()).value).toMatchObject({ object: { metadata: { name: 's' } } })
    let arrived: string | undefined
    const next = nextOf(events).then((event) => (arrived = event))
    await host.sleep(10_000)
    expect(arrived).toBeUndefined()
    // A consistent read is not affected, a read of the watch cache is.
    expect((await client.get(ConfigMap, 'b')).data).toEqual({ k: '2' })
    hold[Symbol.dispose]()
    expect(await next).toBe('ADDED b')
    expect(await nextOf(events)).toBe('MODIFIED b')
    await events.return()
    await secrets.return()
  })

  test('delayed events arrive after their time', async () => {
    await using world = await createWorld('delay')
    const { host, client, faults, make } = world
    const { resourceVersion } = (await make('a')).metadata
    const events = client.watch(ConfigMap, { resourceVersion })
    using _delay = faults.delayEvents({ kind: ConfigMap, user: 'admin' }, '5s')
    const startMs = host.now()
    const next = nextOf(events)
    await make('b')
    expect(await next).toBe('ADDED b')
    expect(host.now() - startMs).toBeGreaterThanOrEqual(5_000)
    expect(host.now() - startMs).toBeLessThan(6_000)
    await events.return()
  })

  test('a cache that is behind answers reads of any revision with its own state', async () => {
    await using world = await createWorld('stale reads')
    const { client, faults, make } = world
    await make('a')
    using _hold = faults.holdEvents({})
    const { resourceVersion } = (await make('b')).metadata
    const path = '/api/v1/namespaces/default/configmaps'
    expect((await answerOf(world, `${path}/b?resourceVersion=0`)).status).toBe(404)
    expect((await answerOf(world, `${path}/b`)).status).toBe(200)
    // A minimum revision that the cache does not reach.
    const late = await answerOf(world, `${path}?resourceVersion=${resourceVersion}`)
    expect(late.status).toBe(504)
    const listed = await client.listAll(ConfigMap)
    expect(listed.map(({ metadata }) => metadata.name)).toContain('b')
  })
})

test('a client that starts again may find a server that is behind', async () => {
  const seen: string[] = []
  await using world = await createWorld('behind', {
    onChange: ({ type, bucket, current }) => {
      if (bucket === '/configmaps') seen.push(`${type} ${current.key} ${current.revision}`)
    },
  })
  const { client, faults, make } = world
  await make('a')
  const { resourceVersion } = (await make('b')).metadata
  await client.delete(ConfigMap, 'b')
  expect(seen).toContain(`created default/b ${resourceVersion}`)
  const path = '/api/v1/namespaces/default/configmaps/b?resourceVersion=0'
  expect((await answerOf(world, path)).status).toBe(404)
  using _hold = faults.holdEvents({}, { revision: Number(resourceVersion) })
  expect((await answerOf(world, path)).status).toBe(200)
})

test('a replica with its own watch cache shows an older state over the same storage', async () => {
  await using world = await createWorld('replica')
  const { host, client, faults, make } = world
  await make('a')
  await using replica = await faults.startReplica()
  const connection = await connectionFromKubeconfig(host, replica.kubeconfig())
  const other = new Client(host, connection)
  const hold = replica.faults.holdEvents({})
  await client.delete(ConfigMap, 'a')
  await make('c')
  // The deleted object is still there for a client that changes to the replica.
  const events = other.watch(ConfigMap, { namespace: 'default' })
  expect(await nextOf(events)).toBe('ADDED a')
  const next = nextOf(events)
  hold[Symbol.dispose]()
  expect(await next).toBe('DELETED a')
  expect(await nextOf(events)).toBe('ADDED c')
  await events.return()
  // Writes of the replica are seen by the first server.
  await other.create(ConfigMap, { metadata: { name: 'd', namespace: 'default' } })
  await client.get(ConfigMap, 'd')
})

test('without storage writes time out, reads lose their connection, and watches stay open', async () => {
  await using world = await createWorld('storage')
  const { client, faults, make } = world
  await make('a')
  const storage = faults.stopStorage({ writesAfter: '2s', readsAfter: '1s' })
  const path = '/api/v1/namespaces/default/configmaps'
  expect((await answerOf(world, `${path}/a`, 'DELETE')).status).toBe(504)
  await expect(answerOf(world, path)).rejects.toMatchObject({
    code: 'NETWORK_CONNECTION_LOST',
  })
  expect((await answerOf(world, `${path}/a?resourceVersion=0`)).status).toBe(200)
  const events = client.watch(ConfigMap, { namespace: 'default' })
  expect(await nextOf(events)).toBe('ADDED a')
  expect((await answerOf(world, '/readyz')).status).toBe(500)
  storage[Symbol.dispose]()
  expect((await answerOf(world, '/readyz')).status).toBe(200)
  await make('b')
  expect(await nextOf(events)).toBe('ADDED b')
  await events.return()
})
