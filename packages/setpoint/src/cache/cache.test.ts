import { createCluster, type Cluster } from '@setpoint/cluster'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ApiCall,
  type ApiStream,
  Client,
  connectionFromKubeconfig,
  fixedCredentials,
  Transport,
} from '../client/index.ts'
import { isSetpointError } from '../errors/index.ts'
import {
  type Intercept,
  type VirtualHost,
  virtualHost,
  type VirtualHostOptions,
} from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, Namespace, Secret } from '../kinds/index.ts'
import { metadataOf } from '../kinds/metadata-of.ts'
import { Cache, type Change, type KindCache, LiveNamespaces } from './index.ts'
import { Widget, widgetDefinition } from './testdata/widgets.ts'

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly cache: Cache
}

/** Every test holds in both encodings. */
const encodings = ['protobuf', 'json'] as const

/** Asks for JSON only, as with a server or a proxy without protobuf. */
class JsonTransport extends Transport {
  override stream(call: ApiCall): Promise<ApiStream> {
    const accept = call.headers?.['accept']?.replace(/application\/vnd[^,]*,/, '')
    return super.stream({ ...call, headers: accept === undefined ? {} : { accept } })
  }
}

interface WorldOptions extends Partial<VirtualHostOptions> {
  readonly encoding: (typeof encodings)[number]
}

async function createWorld({ encoding, ...options }: WorldOptions): Promise<World> {
  const host = virtualHost({ seed: 1, ...options })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection)
  const transport = encoding === 'json' ? new JsonTransport(host, connection) : client.transport
  const cache = new Cache({ host, transport }, { freeze: true })
  return {
    host,
    cluster,
    client,
    cache,
    [Symbol.asyncDispose]: async () => {
      await cache.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}

/** The changes that a listener received, as text. */
function recordedChanges(cache: KindCache): string[] {
  const words: string[] = []
  cache.subscribe(({ type, key, isInitial }) =>
    words.push(`${type} ${key}${isInitial ? ' (initial)' : ''}`),
  )
  return words
}

const lists = ({ trace }: Cluster): number => trace.filter(({ verb }) => verb === 'list').length
const watches = ({ trace }: Cluster): number => trace.filter(({ verb }) => verb === 'watch').length

test.each(encodings)('shows what exists, then every change (%s)', async (encoding) => {
  await using world = await createWorld({ encoding })
  const { client, cache } = world
  await client.create(ConfigMap, { metadata: { name: 'a' }, data: { x: '1' } })
  const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
  const words = recordedChanges(maps)
  await maps.whenSynced()
  await client.create(ConfigMap, { metadata: { name: 'b' } })
  const { metadata } = await client.patch(ConfigMap, 'a', { merge: { data: { x: '2' } } })
  await client.delete(ConfigMap, 'b')
  expect(await maps.whenReached('default/a', metadata.resourceVersion)).toBe(true)
  await world.host.settle()
  expect(words).toEqual([
    'added default/a (initial)',
    'added default/b',
    'changed default/a',
    'removed default/b',
  ])
  expect(maps.get('default/a')).toMatchObject({ kind: 'ConfigMap', data: { x: '2' } })
  expect(maps.get('default/a')?.metadata.managedFields).toBeUndefined()
  expect(() => Object.assign(maps.get('default/a') ?? {}, { data: {} })).toThrow(TypeError)
  expect([...maps.list('default')]).toHaveLength(1)
  expect(maps.health()).toMatchObject({ state: 'live', isSynced: true, objects: 1 })
})

test.each(encodings)(
  'shares one watch of a kind, and ends it with its last user (%s)',
  async (encoding) => {
    await using world = await createWorld({ encoding })
    const { cache, cluster, host } = world
    const first = cache.open(ConfigMap)
    const second = cache.open(ConfigMap)
    cache.open(ConfigMap, { namespaces: ['default'] })
    await first.cache.whenSynced()
    await host.settle()
    expect(second.cache).toBe(first.cache)
    expect(watches(cluster)).toBe(2)
    expect(cache.health()).toHaveLength(2)
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    await host.settle()
    expect(cache.health()).toHaveLength(2)
    second[Symbol.dispose]()
    await host.settle()
    expect(cache.health()).toHaveLength(1)
    expect(second.cache.health().state).toBe('stopped')
  },
)

test.each(encodings)(
  'notifies a late subscriber of everything that exists first (%s)',
  async (encoding) => {
    await using world = await createWorld({ encoding })
    const { client, cache } = world
    await client.create(ConfigMap, { metadata: { name: 'a' } })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    expect(recordedChanges(maps)).toEqual(['added default/a (initial)'])
  },
)

test.each(encodings)(
  'distinguishes an object that left the selector from a deleted one (%s)',
  async (encoding) => {
    await using world = await createWorld({ encoding })
    const { client, cache, host } = world
    for (const name of ['a', 'b']) {
      await client.create(ConfigMap, { metadata: { name, labels: { app: 'web' } } })
    }
    const { cache: maps } = cache.open(ConfigMap, { labelSelector: { app: 'web' } })
    await maps.whenSynced()
    const words = recordedChanges(maps)
    await client.patch(ConfigMap, 'a', { merge: { metadata: { labels: { app: 'other' } } } })
    await client.delete(ConfigMap, 'b')
    await host.settle()
    expect(words.slice(2)).toEqual(['deselected default/a', 'removed default/b'])
  },
)

test.each(encodings)('finds objects by an index (%s)', async (encoding) => {
  await using world = await createWorld({ encoding })
  const { client, cache, host } = world
  const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
  await maps.whenSynced()
  await client.create(ConfigMap, { metadata: { name: 'a' }, data: { owner: 'x' } })
  await host.settle()
  maps.addIndex('owner', ({ data }) => (data?.['owner'] === undefined ? [] : [data['owner']]))
  await client.create(ConfigMap, { metadata: { name: 'b' }, data: { owner: 'x' } })
  await client.create(ConfigMap, { metadata: { name: 'c' }, data: { owner: 'y' } })
  await host.settle()
  const names = (owner: string): string[] =>
    [...maps.indexed('owner', owner)].map(({ metadata }) => metadata.name).sort()
  expect(names('x')).toEqual(['a', 'b'])
  await client.patch(ConfigMap, 'a', { merge: { data: { owner: 'y' } } })
  await client.delete(ConfigMap, 'c')
  await host.settle()
  expect(names('x')).toEqual(['b'])
  expect(names('y')).toEqual(['a'])
})

test.each(encodings)('waits for a kind that is not served yet (%s)', async (encoding) => {
  await using world = await createWorld({ encoding })
  const { client, cache, host } = world
  const { cache: widgets } = cache.open(Widget)
  await widgets.whenSynced()
  expect(widgets.health()).toMatchObject({ state: 'absent', objects: 0 })
  await client.create(CustomResourceDefinition, widgetDefinition)
  await client.create(Widget, { metadata: { name: 'w' }, spec: { size: 1 } })
  await host.sleep(30_000)
  expect(widgets.get('default/w')?.spec.size).toBe(1)
  await client.delete(CustomResourceDefinition, 'widgets.example.com')
  await host.sleep(60_000)
  expect(widgets.get('default/w')).toBeUndefined()
  expect(widgets.health().state).toBe('absent')
})

describe('when the connection fails', () => {
  /** Cuts the watch of ConfigMaps when the test asks for it. */
  function cutter(): { intercept: Intercept; cutNext: () => void } {
    let cuts = 0
    return {
      cutNext: () => (cuts += 1),
      intercept: ({ kind, url }) => {
        if (kind !== 'response-chunk' || url?.includes('watch=true') !== true || cuts === 0)
          return undefined
        cuts -= 1
        return 'cut'
      },
    }
  }

  test.each(encodings)(
    'resumes a watch without a list, and neither misses nor repeats a change (%s)',
    async (encoding) => {
      const { intercept, cutNext } = cutter()
      await using world = await createWorld({ encoding, intercept })
      const { client, cache, cluster, host } = world
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      const words = recordedChanges(maps)
      await client.create(ConfigMap, { metadata: { name: 'a' } })
      await host.settle()
      cutNext()
      await client.create(ConfigMap, { metadata: { name: 'b' } })
      await host.settle()
      expect(maps.health().state).toBe('broken')
      await client.create(ConfigMap, { metadata: { name: 'c' } })
      await host.sleep(10_000)
      expect(words).toEqual(['added default/a', 'added default/b', 'added default/c'])
      expect(maps.health().state).toBe('live')
      // A list of one object shows that the revisions did not go back.
      expect(lists(cluster)).toBe(1)
    },
  )

  test.each(encodings)(
    'relists after 410 Gone and reports exactly the missed changes (%s)',
    async (encoding) => {
      const { intercept, cutNext } = cutter()
      await using world = await createWorld({ encoding, intercept })
      const { client, cache, cluster, host } = world
      for (const name of ['same', 'changed', 'gone', 'again']) {
        await client.create(ConfigMap, { metadata: { name } })
      }
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      const words = recordedChanges(maps)
      words.length = 0
      cutNext()
      await client.patch(ConfigMap, 'changed', { merge: { data: { x: '1' } } })
      await client.delete(ConfigMap, 'gone')
      await client.delete(ConfigMap, 'again')
      await client.create(ConfigMap, { metadata: { name: 'again' } })
      await client.create(ConfigMap, { metadata: { name: 'new' } })
      cluster.compact()
      await host.sleep(10_000)
      expect(words.sort()).toEqual([
        'added default/again',
        'added default/new',
        'changed default/changed',
        'removed default/again',
        'removed default/gone',
      ])
    },
  )

  test.each(encodings)('replaces a watch that became silent (%s)', async (encoding) => {
    let isStalled = false
    const intercept: Intercept = ({ kind, url }) =>
      isStalled && kind === 'response-chunk' && url?.includes('watch=true') === true
        ? 'drop'
        : undefined
    await using world = await createWorld({ encoding, intercept })
    const { client, cache, host } = world
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    isStalled = true
    await client.create(ConfigMap, { metadata: { name: 'a' } })
    await host.settle()
    isStalled = false
    expect(maps.get('default/a')).toBeUndefined()
    await host.sleep(45_000)
    expect(maps.get('default/a')).toBeDefined()
  })

  test.each(encodings)(
    'notices within 45 s that a silent watch misses events, whenever they happen (%s)',
    async (encoding) => {
      for (const idleMs of [0, 34_900, 35_500, 52_000, 75_000]) {
        let isStalled = false
        const dead = new Set<number>()
        const intercept: Intercept = ({ kind, url, connection }) => {
          if (connection === undefined || url?.includes('watch=true') !== true) return undefined
          // Connections that exist are lost without a sign; new ones work.
          if (!isStalled && kind === 'response') dead.add(connection)
          return isStalled && dead.has(connection) ? 'drop' : undefined
        }
        await using world = await createWorld({ encoding, intercept })
        const { client, cache, host } = world
        const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
        await maps.whenSynced()
        isStalled = true
        await host.sleep(idleMs)
        await client.create(ConfigMap, { metadata: { name: 'a' } })
        await host.sleep(45_000)
        expect(maps.get('default/a')).toBeDefined()
      }
    },
  )

  test.each(encodings)(
    'keeps a quiet watch open, with one short request per minute (%s)',
    async (encoding) => {
      const happened: string[] = []
      const intercept: Intercept = ({ kind, url = '' }) => {
        if (kind === 'reset' || (kind === 'request' && url.includes('watch=true')))
          happened.push(kind === 'reset' ? kind : (/timeoutSeconds=(\d+)/.exec(url)?.[1] ?? ''))
        return undefined
      }
      await using world = await createWorld({ encoding, intercept })
      const { cache, host } = world
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      happened.length = 0
      await host.sleep(10 * 60_000)
      expect(happened).toEqual(Array.from({ length: happened.length }, () => '1'))
      expect(happened.length).toBeLessThanOrEqual(11)
      expect(maps.health().state).toBe('live')
    },
  )

  test.each(encodings)(
    'starts over when the server was restored from a backup (%s)',
    async (encoding) => {
      const host = virtualHost({ seed: 1 })
      const open = { host, auth: 'off', tls: 'off', workloads: 'off' } as const
      const first = await createCluster(open)
      const { port } = first
      await first.client.create(ConfigMap, { metadata: { name: 'kept' } })
      const backup = first.snapshot()
      for (let count = 0; count < 20; count += 1) {
        await first.client.create(ConfigMap, { metadata: { name: `lost-${count}` } })
      }
      const connection = await connectionFromKubeconfig(host, first.kubeconfig())
      const transport = new (encoding === 'json' ? JsonTransport : Transport)(host, connection)
      const states: unknown[] = []
      const onState = (kind: KindCache): void => void states.push(kind.health().lastError)
      const cache = new Cache({ host, transport, onState })
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      const unreachable = maps.whenReached('default/kept', '999999')
      await first[Symbol.asyncDispose]()
      await using second = await createCluster({ ...open, port, snapshot: backup })
      await host.sleep(45_000)
      await second.client.create(ConfigMap, { metadata: { name: 'new' } })
      await host.settle()
      expect([...maps.list()].map(({ metadata }) => metadata.name).sort()).toEqual(['kept', 'new'])
      expect(states).toContainEqual(expect.objectContaining({ code: 'API_HISTORY_RESET' }))
      expect(maps.resetsOf('default/kept')).toBe(1)
      await unreachable
      await cache.stop()
      host.stop()
    },
  )

  test('lists again as soon as it notices a restored backup, even after a long outage', async () => {
    const host = virtualHost({ seed: 1 })
    const open = { host, auth: 'off', tls: 'off', workloads: 'off' } as const
    const first = await createCluster(open)
    const { port } = first
    const backup = first.snapshot()
    // A cluster writes one object at its start: the revisions of the backup must stay behind.
    for (const name of ['lost', 'lost-too', 'lost-as-well']) {
      await first.client.create(ConfigMap, { metadata: { name } })
    }
    const connection = await connectionFromKubeconfig(host, first.kubeconfig())
    const states: unknown[] = []
    const onState = (kind: KindCache): void => void states.push(kind.health().lastError)
    const hasNoticed = (): boolean =>
      states.some((error) => isSetpointError(error, 'API_HISTORY_RESET'))
    const cache = new Cache({ host, transport: new Transport(host, connection), onState })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    await first[Symbol.asyncDispose]()
    // The delays between two attempts grow to half a minute and more.
    await host.sleep(300_000)
    await using second = await createCluster({ ...open, port, snapshot: backup })
    while (!hasNoticed()) await host.sleep(100)
    await host.sleep(1_000)
    expect([...maps.list()]).toEqual([])
    expect(maps.health().state).toBe('live')
    await cache.stop()
    await second.dispose()
    host.stop()
  })

  test.each(encodings)(
    'stops waiting for an own write that never arrives (%s)',
    async (encoding) => {
      await using world = await createWorld({ encoding })
      const { cache, host, client } = world
      const { cache: maps } = cache.open(ConfigMap, { labelSelector: 'app=web' })
      await maps.whenSynced()
      const { metadata } = await client.create(ConfigMap, { metadata: { name: 'a' } })
      const startMs = host.monotonicMs()
      expect(await maps.whenReached('default/a', metadata.resourceVersion)).toBe(false)
      expect(host.monotonicMs() - startMs).toBe(10_000)
    },
  )
})

test.each(encodings)(
  'lists page by page when the server does not stream lists (%s)',
  async (encoding) => {
    await using world = await createWorld({ encoding })
    const { client, host, cluster } = world
    for (let index = 0; index < 3; index += 1) {
      await client.create(ConfigMap, { metadata: { name: `c${index}` } })
    }
    const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
    const older = new Client(
      {
        ...host,
        request: async (request) =>
          host.request(
            request.url.includes('sendInitialEvents')
              ? { ...request, url: request.url.replace('resourceVersionMatch=NotOlderThan', '') }
              : request,
          ),
      },
      connection,
    )
    const cache = new Cache({ host, transport: older.transport })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    expect(lists(cluster)).toBe(1)
    expect([...maps.list()].map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap c0',
      'ConfigMap c1',
      'ConfigMap c2',
    ])
    await client.delete(ConfigMap, 'c1')
    await host.settle()
    expect(maps.get('default/c1')).toBeUndefined()
    await cache.stop()
  },
)

test.each(encodings)(
  'backs off when the server ends every watch after some seconds (%s)',
  async (encoding) => {
    await using world = await createWorld({ encoding })
    const { client, host, cluster } = world
    const impatient = new Client(
      {
        ...host,
        request: async (request) => {
          const url = request.url.replace(/timeoutSeconds=\d+/, 'timeoutSeconds=2')
          return host.request({ ...request, url })
        },
      },
      await connectionFromKubeconfig(host, cluster.kubeconfig()),
    )
    const cache = new Cache({ host, transport: impatient.transport })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    await host.sleep(600_000)
    expect(watches(cluster)).toBeLessThan(40)
    await client.create(ConfigMap, { metadata: { name: 'late' } })
    await host.sleep(62_000)
    expect(maps.get('default/late')).toBeDefined()
    await cache.stop()
  },
)

test.each(encodings)(
  'converges to the state of the server after random changes and faults (%s)',
  async (encoding) => {
    const step = fc.record({
      what: fc.constantFrom('create', 'patch', 'delete', 'cut', 'compact', 'wait'),
      name: fc.constantFrom('a', 'b', 'c'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer(), async (steps, seed) => {
        let cuts = 0
        const intercept: Intercept = ({ kind, url }) => {
          if (cuts === 0 || kind !== 'response-chunk' || url?.includes('watch=true') !== true)
            return undefined
          cuts -= 1
          return 'cut'
        }
        await using world = await createWorld({ encoding, seed, intercept, rechunk: true })
        const { client, cache, cluster, host } = world
        const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
        const state = new Map<string, string>()
        const contradictions: string[] = []
        maps.subscribe(({ type, key, current }: Change) => {
          if (state.has(key) === (type === 'added')) contradictions.push(`${type} ${key}`)
          if (type === 'removed') state.delete(key)
          else state.set(key, current.resourceVersion)
        })
        let count = 0
        for (const { what, name } of steps) {
          count += 1
          if (what === 'create')
            await client.create(ConfigMap, { metadata: { name } }).catch(() => undefined)
          else if (what === 'patch') {
            const data = { x: String(count) }
            await client.patch(ConfigMap, name, { merge: { data } }).catch(() => undefined)
          } else if (what === 'delete') await client.delete(ConfigMap, name)
          else if (what === 'cut') cuts += 1
          else if (what === 'compact') cluster.compact()
          else await host.sleep(500)
        }
        cuts = 0
        await host.sleep(120_000)
        const live = await client.listAll(ConfigMap, { namespace: 'default' })
        const expected = live.map(({ metadata }) => [metadata.name, metadata.resourceVersion])
        const kept = [...maps.list()].map(({ metadata }) => [
          metadata.name,
          metadata.resourceVersion,
        ])
        expect(contradictions).toEqual([])
        expect(kept.sort()).toEqual(expected.sort())
        expect([...state.values()].sort()).toEqual(expected.map(([, version]) => version).sort())
      }),
      { numRuns: 25 },
    )
  },
  60_000,
)

/** The number of requests in a minute to a server that always sends the same response. */
async function requestsInAMinute(lines: readonly object[]): Promise<number> {
  const host = virtualHost({ seed: 1 })
  let requests = 0
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await using server = await host.listen({
    handle: async () => {
      requests += 1
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    },
  })
  const credentials = fixedCredentials({})
  const connection = { server: server.url, credentials, namespace: 'default', name: 'test' }
  const { transport } = new Client(host, connection)
  const cache = new Cache({ host, transport })
  cache.open(ConfigMap)
  await host.sleep(60_000)
  await cache.stop()
  host.stop()
  return requests
}

test('backs off when every watch ends immediately or expires', async () => {
  expect(await requestsInAMinute([])).toBeLessThan(60)
  const metadata = {
    resourceVersion: '5',
    annotations: { 'k8s.io/initial-events-end': 'true' },
  }
  const end = { type: 'BOOKMARK', object: { metadata } }
  const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }
  expect(await requestsInAMinute([expired])).toBeLessThan(150)
  expect(await requestsInAMinute([end, expired])).toBeLessThan(150)
})

test.each(encodings)('ignores a namespace that is not watched (%s)', async (encoding) => {
  await using world = await createWorld({ encoding })
  const { client, cache, host } = world
  await client.create(Namespace, { metadata: { name: 'other' } })
  const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default', 'third'] })
  await maps.whenSynced()
  await client.create(ConfigMap, { metadata: { name: 'a', namespace: 'other' } })
  await client.create(ConfigMap, { metadata: { name: 'b' } })
  await host.settle()
  expect([...maps.list()].map(({ metadata }) => metadata.name)).toEqual(['b'])
})

test.each(encodings)('reads only metadata when the kind asks for it (%s)', async (encoding) => {
  await using world = await createWorld({ encoding })
  const data = { password: 'c2VjcmV0' }
  await world.client.create(Secret, { metadata: { name: 'a', labels: { x: 'y' } }, data })
  for (const pages of [false, true]) {
    const { cache: secrets } = world.cache.open(metadataOf(Secret), {
      namespaces: ['default'],
      ...(pages ? { transform: (object: unknown) => object } : {}),
    })
    await secrets.whenSynced()
    await world.client.patch(Secret, 'a', { merge: { metadata: { labels: { x: String(pages) } } } })
    await world.host.settle()
    const { metadata, ...rest } = secrets.get('default/a') ?? {}
    expect(metadata?.labels).toEqual({ x: String(pages) })
    expect(rest).toEqual({ apiVersion: 'v1', kind: 'Secret' })
  }
  const shown = await world.client.get(metadataOf(Secret), 'a')
  expect(Object.keys(shown).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
  const listed = await world.client.listAll(metadataOf(Secret), { namespace: 'default' })
  expect(listed).toMatchObject([{ kind: 'Secret', metadata: { name: 'a' } }])
  expect(JSON.stringify(listed)).not.toContain('c2VjcmV0')
})

test.each(encodings)(
  'follows namespaces by their labels, including later changes (%s)',
  async (encoding) => {
    await using world = await createWorld({ encoding })
    const { client } = world
    const team = (name: string, value: string | null) =>
      client.patch(Namespace, name, { merge: { metadata: { labels: { team: value } } } })
    for (const name of ['one', 'two', 'three']) {
      await client.create(Namespace, { metadata: { name } })
      await client.create(ConfigMap, { metadata: { name: 'm', namespace: name } })
    }
    await team('one', 'a')
    const { cache: maps } = world.cache.open(ConfigMap, { namespaces: { labelSelector: 'team=a' } })
    await maps.whenSynced()
    const words = recordedChanges(maps)
    expect(words).toEqual(['added one/m (initial)'])
    await team('two', 'a')
    await world.host.settle()
    await team('one', null)
    await world.host.settle()
    await client.create(ConfigMap, { metadata: { name: 'n', namespace: 'two' } })
    await client.create(ConfigMap, { metadata: { name: 'n', namespace: 'one' } })
    await world.host.settle()
    expect(words.slice(1)).toEqual(['added two/m (initial)', 'deselected one/m', 'added two/n'])
    expect([...maps.list()].map(({ metadata }) => metadata.namespace)).toEqual(['two', 'two'])
  },
)

test.each(encodings)('follows a set of namespaces that changes (%s)', async (encoding) => {
  await using world = await createWorld({ encoding })
  for (const name of ['one', 'two']) {
    await world.client.create(Namespace, { metadata: { name } })
    await world.client.create(ConfigMap, { metadata: { name: 'm', namespace: name } })
  }
  const namespaces = new LiveNamespaces(['one'])
  const { cache: maps } = world.cache.open(ConfigMap, { namespaces })
  await maps.whenSynced()
  const words = recordedChanges(maps)
  namespaces.set(['two'])
  expect(maps.isSynced).toBe(false)
  await maps.whenSynced()
  namespaces.set([])
  await world.host.settle()
  expect(words).toEqual([
    'added one/m (initial)',
    'deselected one/m',
    'added two/m (initial)',
    'deselected two/m',
  ])
  expect(maps.health()).toMatchObject({ isSynced: true, objects: 0, state: 'live' })
})
