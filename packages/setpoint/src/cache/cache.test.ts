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

/** What is promised holds in either, whichever a server answers with. */
const encodings = ['protobuf', 'json'] as const

/** Asks for JSON only, as for a server or a proxy that has no protobuf. */
class JsonTransport extends Transport {
  override stream(call: ApiCall): Promise<ApiStream> {
    const accept = call.headers?.['accept']?.replace(/application\/vnd[^,]*,/, '')
    return super.stream({ ...call, headers: accept === undefined ? {} : { accept } })
  }
}

interface WorldOptions extends Partial<VirtualHostOptions> {
  readonly encoding: (typeof encodings)[number]
}

async function world({ encoding, ...options }: WorldOptions): Promise<World> {
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

/** What a listener heard, as words. */
function heard(cache: KindCache): string[] {
  const words: string[] = []
  cache.subscribe(({ type, key, isInitial }) =>
    words.push(`${type} ${key}${isInitial ? ' (initial)' : ''}`),
  )
  return words
}

const lists = ({ trace }: Cluster): number => trace.filter(({ verb }) => verb === 'list').length
const watches = ({ trace }: Cluster): number => trace.filter(({ verb }) => verb === 'watch').length

test.each(encodings)(
  'a cache shows what exists, then follows every change (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client, cache } = it
    await client.create(ConfigMap, { metadata: { name: 'a' }, data: { x: '1' } })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    const words = heard(maps)
    await maps.whenSynced()
    await client.create(ConfigMap, { metadata: { name: 'b' } })
    const { metadata } = await client.patch(ConfigMap, 'a', { merge: { data: { x: '2' } } })
    await client.delete(ConfigMap, 'b')
    expect(await maps.whenReached('default/a', metadata.resourceVersion)).toBe(true)
    await it.host.settle()
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
  },
)

test.each(encodings)(
  'everybody who looks at a kind shares one watch, which ends with the last of them (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { cache, cluster, host } = it
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
  'a late subscriber hears of everything that exists first (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client, cache } = it
    await client.create(ConfigMap, { metadata: { name: 'a' } })
    const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
    await maps.whenSynced()
    expect(heard(maps)).toEqual(['added default/a (initial)'])
  },
)

test.each(encodings)(
  'an object that leaves a selector is told apart from one that is deleted (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client, cache, host } = it
    for (const name of ['a', 'b']) {
      await client.create(ConfigMap, { metadata: { name, labels: { app: 'web' } } })
    }
    const { cache: maps } = cache.open(ConfigMap, { labelSelector: { app: 'web' } })
    await maps.whenSynced()
    const words = heard(maps)
    await client.patch(ConfigMap, 'a', { merge: { metadata: { labels: { app: 'other' } } } })
    await client.delete(ConfigMap, 'b')
    await host.settle()
    expect(words.slice(2)).toEqual(['deselected default/a', 'removed default/b'])
  },
)

test.each(encodings)(
  'objects are found by what an index says about them (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client, cache, host } = it
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
  },
)

test.each(encodings)('a kind that is not there yet is waited for (%s)', async (encoding) => {
  await using it = await world({ encoding })
  const { client, cache, host } = it
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
  /** Cuts the watch of config maps whenever the test says so. */
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
    'a watch goes on where it stopped, without a list, missing and repeating nothing (%s)',
    async (encoding) => {
      const { intercept, cutNext } = cutter()
      await using it = await world({ encoding, intercept })
      const { client, cache, cluster, host } = it
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      const words = heard(maps)
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
      expect(lists(cluster)).toBe(0)
    },
  )

  test.each(encodings)(
    'a forgotten revision leads to a comparison that tells exactly what was missed (%s)',
    async (encoding) => {
      const { intercept, cutNext } = cutter()
      await using it = await world({ encoding, intercept })
      const { client, cache, cluster, host } = it
      for (const name of ['same', 'changed', 'gone', 'again']) {
        await client.create(ConfigMap, { metadata: { name } })
      }
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      const words = heard(maps)
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

  test.each(encodings)(
    'a watch that goes silent is noticed and replaced (%s)',
    async (encoding) => {
      let isStalled = false
      const intercept: Intercept = ({ kind, url }) =>
        isStalled && kind === 'response-chunk' && url?.includes('watch=true') === true
          ? 'drop'
          : undefined
      await using it = await world({ encoding, intercept })
      const { client, cache, host } = it
      const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
      await maps.whenSynced()
      isStalled = true
      await client.create(ConfigMap, { metadata: { name: 'a' } })
      await host.settle()
      isStalled = false
      expect(maps.get('default/a')).toBeUndefined()
      await host.sleep(250_000)
      expect(maps.get('default/a')).toBeDefined()
    },
  )

  test.each(encodings)(
    'an own write that never comes back is not waited for for ever (%s)',
    async (encoding) => {
      await using it = await world({ encoding })
      const { cache, host, client } = it
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
  'a server that does not stream its lists is read page by page (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client, host, cluster } = it
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
  'a server that ends every watch after some seconds is not asked without a pause (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client, host, cluster } = it
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
  'whatever happens to objects and connections, the cache ends with the state of the server (%s)',
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
        await using it = await world({ encoding, seed, intercept, rechunk: true })
        const { client, cache, cluster, host } = it
        const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default'] })
        const state = new Map<string, string>()
        maps.subscribe((change: Change) => {
          const known = state.get(change.key)
          if (change.type === 'added') expect(known).toBeUndefined()
          else expect(known).toBeDefined()
          if (change.type === 'removed') state.delete(change.key)
          else state.set(change.key, change.current.resourceVersion)
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
        const truth = await client.listAll(ConfigMap, { namespace: 'default' })
        const expected = truth.map(({ metadata }) => [metadata.name, metadata.resourceVersion])
        const kept = [...maps.list()].map(({ metadata }) => [
          metadata.name,
          metadata.resourceVersion,
        ])
        expect(kept.sort()).toEqual(expected.sort())
        expect([...state.values()].sort()).toEqual(expected.map(([, version]) => version).sort())
      }),
      { numRuns: 25 },
    )
  },
  60_000,
)

/** A server that answers everything in the same way, and how often it was asked within a minute. */
async function askedInAMinute(lines: readonly object[]): Promise<number> {
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

test('a server whose watches end at once, or always expire, is not asked in a loop', async () => {
  expect(await askedInAMinute([])).toBeLessThan(60)
  const metadata = {
    resourceVersion: '5',
    annotations: { 'k8s.io/initial-events-end': 'true' },
  }
  const end = { type: 'BOOKMARK', object: { metadata } }
  const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }
  expect(await askedInAMinute([expired])).toBeLessThan(150)
  expect(await askedInAMinute([end, expired])).toBeLessThan(150)
})

test.each(encodings)('a namespace that is not watched is not seen (%s)', async (encoding) => {
  await using it = await world({ encoding })
  const { client, cache, host } = it
  await client.create(Namespace, { metadata: { name: 'other' } })
  const { cache: maps } = cache.open(ConfigMap, { namespaces: ['default', 'third'] })
  await maps.whenSynced()
  await client.create(ConfigMap, { metadata: { name: 'a', namespace: 'other' } })
  await client.create(ConfigMap, { metadata: { name: 'b' } })
  await host.settle()
  expect([...maps.list()].map(({ metadata }) => metadata.name)).toEqual(['b'])
})

test.each(encodings)('only metadata is read of a kind that is wanted so (%s)', async (encoding) => {
  await using it = await world({ encoding })
  const data = { password: 'c2VjcmV0' }
  await it.client.create(Secret, { metadata: { name: 'a', labels: { x: 'y' } }, data })
  for (const pages of [false, true]) {
    const { cache: secrets } = it.cache.open(metadataOf(Secret), {
      namespaces: ['default'],
      ...(pages ? { transform: (object: unknown) => object } : {}),
    })
    await secrets.whenSynced()
    await it.client.patch(Secret, 'a', { merge: { metadata: { labels: { x: String(pages) } } } })
    await it.host.settle()
    const { metadata, ...rest } = secrets.get('default/a') ?? {}
    expect(metadata?.labels).toEqual({ x: String(pages) })
    expect(rest).toEqual({ apiVersion: 'v1', kind: 'Secret' })
  }
  const shown = await it.client.get(metadataOf(Secret), 'a')
  expect(Object.keys(shown).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
  const listed = await it.client.listAll(metadataOf(Secret), { namespace: 'default' })
  expect(listed).toMatchObject([{ kind: 'Secret', metadata: { name: 'a' } }])
  expect(JSON.stringify(listed)).not.toContain('c2VjcmV0')
})

test.each(encodings)(
  'namespaces are followed by their labels, also those that come and go (%s)',
  async (encoding) => {
    await using it = await world({ encoding })
    const { client } = it
    const team = (name: string, value: string | null) =>
      client.patch(Namespace, name, { merge: { metadata: { labels: { team: value } } } })
    for (const name of ['one', 'two', 'three']) {
      await client.create(Namespace, { metadata: { name } })
      await client.create(ConfigMap, { metadata: { name: 'm', namespace: name } })
    }
    await team('one', 'a')
    const { cache: maps } = it.cache.open(ConfigMap, { namespaces: { labelSelector: 'team=a' } })
    await maps.whenSynced()
    const words = heard(maps)
    expect(words).toEqual(['added one/m (initial)'])
    await team('two', 'a')
    await it.host.settle()
    await team('one', null)
    await it.host.settle()
    await client.create(ConfigMap, { metadata: { name: 'n', namespace: 'two' } })
    await client.create(ConfigMap, { metadata: { name: 'n', namespace: 'one' } })
    await it.host.settle()
    expect(words.slice(1)).toEqual(['added two/m (initial)', 'deselected one/m', 'added two/n'])
    expect([...maps.list()].map(({ metadata }) => metadata.namespace)).toEqual(['two', 'two'])
  },
)

test.each(encodings)('a set of namespaces can be changed at any time (%s)', async (encoding) => {
  await using it = await world({ encoding })
  for (const name of ['one', 'two']) {
    await it.client.create(Namespace, { metadata: { name } })
    await it.client.create(ConfigMap, { metadata: { name: 'm', namespace: name } })
  }
  const namespaces = new LiveNamespaces(['one'])
  const { cache: maps } = it.cache.open(ConfigMap, { namespaces })
  await maps.whenSynced()
  const words = heard(maps)
  namespaces.set(['two'])
  expect(maps.isSynced).toBe(false)
  await maps.whenSynced()
  namespaces.set([])
  await it.host.settle()
  expect(words).toEqual([
    'added one/m (initial)',
    'deselected one/m',
    'added two/m (initial)',
    'deselected two/m',
  ])
  expect(maps.health()).toMatchObject({ isSynced: true, objects: 0, state: 'live' })
})
