import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import {
  type ApiCall,
  type ApiStream,
  Client,
  connectionFromKubeconfig,
  fixedCredentials,
  Transport,
} from '../client/index.ts'
import { type VirtualHost, virtualHost } from '../host/index.ts'
import {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  metadataOf,
  StatefulSet,
} from '../kinds/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { Cache } from './index.ts'
import { Widget, widgetDefinition } from './testdata/widgets.ts'

/** Records the content types of watch responses. */
class RecordingTransport extends Transport {
  readonly types: string[] = []

  override async stream(call: ApiCall): Promise<ApiStream> {
    const stream = await super.stream(call)
    this.types.push(stream.headers['content-type'] ?? '')
    return stream
  }
}

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly client: Client
  readonly transport: RecordingTransport
  readonly open: <K extends Kind>(kind: K) => ReturnType<typeof Cache.prototype.open<K>>['cache']
}

async function createWorld(headers: Record<string, string> = {}): Promise<World> {
  const host = virtualHost({ seed: 1 })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const credential = await connection.credentials.current()
  const credentials = fixedCredentials({ ...credential, headers })
  const transport = new RecordingTransport(host, { ...connection, credentials })
  const cache = new Cache({ host, transport })
  return {
    client: new Client(host, connection),
    host,
    transport,
    open: (kind) => cache.open(kind).cache,
    [Symbol.asyncDispose]: async () => {
      await cache.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}

const container = { name: 'main', image: 'nginx', resources: { limits: { cpu: '0.5' } } }

const protobuf = 'application/vnd.kubernetes.protobuf;stream=watch'

test('reads built-in kinds in protobuf, equal to a get', async () => {
  await using world = await createWorld()
  const { client, open, transport } = world
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } }
  const selector = { matchLabels: { app: 'a' } }
  await client.create(Deployment, { metadata: { name: 'd' }, spec: { selector, template } })
  const claim = {
    resources: { requests: { storage: '1Gi' } },
    accessModes: ['ReadWriteOnce'],
  } as const
  await client.create(StatefulSet, {
    metadata: { name: 's' },
    spec: {
      serviceName: 's',
      selector,
      template,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  })
  for (const [kind, name] of [
    [Deployment, 'd'],
    [StatefulSet, 's'],
  ] as const) {
    const cache = open(kind as Kind)
    await cache.whenSynced()
    const got = await client.get(kind, name)
    const { managedFields: _, ...metadata } = (got as Deployment).metadata
    expect(cache.get(`default/${name}`)).toEqual({ ...(got as Deployment), metadata })
  }
  expect(transport.types).toEqual([protobuf, protobuf])
})

test('reads custom resources in JSON, and their metadata alone in protobuf', async () => {
  await using world = await createWorld()
  const { client, open, transport } = world
  await client.create(CustomResourceDefinition, widgetDefinition)
  await client.create(Widget, { metadata: { name: 'w' }, spec: { size: 1 } })
  const whole = open(Widget)
  await whole.whenSynced()
  const part = open(metadataOf(Widget))
  await part.whenSynced()
  expect(transport.types).toEqual(['application/json', protobuf])
  expect(whole.get('default/w')).toMatchObject({ kind: 'Widget', spec: { size: 1 } })
  const metadata = expect.objectContaining({ name: 'w', namespace: 'default' }) as unknown
  const { apiVersion, kind } = Widget
  expect(part.get('default/w')).toEqual({ apiVersion, kind, metadata })
})

test('reads a kind without a protobuf table as JSON', async () => {
  await using world = await createWorld()
  const { client, open, transport } = world
  await client.create(ConfigMap, { metadata: { name: 'a' }, data: { x: '1' } })
  const maps = open({ ...ConfigMap, protobuf: undefined })
  await maps.whenSynced()
  expect(transport.types).toEqual(['application/json'])
  expect(maps.get('default/a')).toMatchObject({ kind: 'ConfigMap', data: { x: '1' } })
})

test('keeps an entry readable after its object changed many times', async () => {
  await using world = await createWorld()
  const { client, open } = world
  const text = 'x'.repeat(20_000)
  await client.create(ConfigMap, { metadata: { name: 'a' }, data: { text, count: 'first' } })
  const maps = open(ConfigMap)
  await maps.whenSynced()
  const first = maps.entry('default/a') ?? expect.fail()
  const { uid, resourceVersion } = first
  let last = resourceVersion
  for (let count = 0; count < 200; count += 1) {
    const merge = { data: { count: String(count) } }
    last = (await client.patch(ConfigMap, 'a', { merge })).metadata.resourceVersion
  }
  await maps.whenReached('default/a', last)
  expect(first).toMatchObject({ uid, resourceVersion, name: 'a', namespace: 'default' })
  expect(first.object).toMatchObject({ data: { count: 'first', text } })
  expect(maps.entry('default/a')).toMatchObject({ uid, resourceVersion: last })
  expect(maps.get('default/a')?.data).toEqual({ count: '199', text })
  expect(maps.health().bytes).toBeLessThan(25_000)
})

test('explains a refused watch although the refusal is protobuf', async () => {
  await using world = await createWorld({ 'impersonate-user': 'jane' })
  const maps = world.open(ConfigMap)
  await world.host.sleep(1_000)
  const { state, lastError } = maps.health()
  expect(state).toBe('broken')
  expect(lastError).toMatchObject({ code: 'API_FORBIDDEN', status: { reason: 'Forbidden' } })
  expect(String(lastError)).toContain('User "jane" cannot watch resource "configmaps"')
})
