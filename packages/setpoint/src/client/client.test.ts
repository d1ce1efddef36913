import { createCluster, type Cluster } from '@setpoint/cluster'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { type VirtualHost, virtualHost, type VirtualHostOptions } from '../host/index.ts'
import { ConfigMap, CustomResourceDefinition, Deployment, Namespace, Pod } from '../kinds/index.ts'
import {
  type ApiError,
  Client,
  connectionFromKubeconfig,
  isApiError,
  type ClientOptions,
} from './index.ts'

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
}

async function createWorld(
  options: Partial<VirtualHostOptions> & { readonly client?: ClientOptions } = {},
): Promise<World> {
  const { client: clientOptions, ...rest } = options
  const host = virtualHost({ seed: 1, ...rest })
  const cluster = await createCluster({ host })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return {
    host,
    cluster,
    client: new Client(host, connection, clientOptions),
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ size: z.int32().default(1) }),
  status: z.object({ ready: z.boolean().optional(), size: z.int32().optional() }),
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
})

test('creates, reads, replaces, patches and deletes an object', async () => {
  await using world = await createWorld()
  const { client } = world
  const created = await client.create(ConfigMap, { metadata: { name: 'a' }, data: { x: '1' } })
  expect(created).toMatchObject({ kind: 'ConfigMap', metadata: { namespace: 'default' } })
  const replaced = await client.replace(ConfigMap, { ...created, data: { x: '2' } })
  expect((await client.get(ConfigMap, 'a')).data).toEqual({ x: '2' })
  await client.patch(ConfigMap, replaced.metadata, { merge: { data: { y: '3' } } })
  await client.patch(ConfigMap, 'a', { json: [{ op: 'remove', path: '/data/x' }] })
  await client.patch(ConfigMap, 'a', { strategic: { data: { z: '4' } } })
  expect((await client.get(ConfigMap, 'a')).data).toEqual({ y: '3', z: '4' })
  expect(await client.delete(ConfigMap, 'a')).toBe(true)
  expect(await client.delete(ConfigMap, 'a')).toBe(false)
  expect(await client.find(ConfigMap, 'a')).toBeUndefined()
})

test('explains a refusal: the request, the reason and a hint', async () => {
  await using world = await createWorld()
  const { client } = world
  const created = await client.create(ConfigMap, { metadata: { name: 'a' } })
  await client.patch(ConfigMap, 'a', { merge: { data: { x: '1' } } })
  const error = await client.replace(ConfigMap, created).catch((caught: unknown) => caught)
  expect(isApiError(error, 'API_CONFLICT')).toBe(true)
  expect(error).toMatchObject({
    code: 'API_CONFLICT',
    status: { code: 409, reason: 'Conflict' },
    message: expect.stringMatching(
      /^update of ConfigMap default\/a was refused: .*\n {2}hint: read the object again/,
    ) as string,
  })
  await expect(client.get(ConfigMap, { namespace: 'x', name: 'b' })).rejects.toMatchObject({
    code: 'API_NOT_FOUND',
    message: 'get of ConfigMap x/b was refused: configmaps "b" not found',
  })
  await expect(
    client.create(ConfigMap, { metadata: { name: 'Not a name' } }),
  ).rejects.toMatchObject({
    code: 'API_INVALID',
    status: { details: { causes: [{ field: 'metadata.name' }] } },
  })
})

test('takes the key namespace/name wherever an object is named', async () => {
  await using world = await createWorld()
  const { client } = world
  const metadata = { name: 'a', namespace: 'kube-system' }
  await client.create(ConfigMap, { metadata, data: { x: '1' } })
  const key = 'kube-system/a'
  expect((await client.get(ConfigMap, key)).data).toEqual({ x: '1' })
  expect((await client.find(ConfigMap, key))?.metadata.namespace).toBe('kube-system')
  expect(await client.find(ConfigMap, 'a')).toBeUndefined()
  expect((await client.patch(ConfigMap, key, { merge: { data: { y: '2' } } })).data).toEqual({
    x: '1',
    y: '2',
  })
  expect((await client.get(Namespace, 'kube-system')).metadata.name).toBe('kube-system')
  await expect(client.get(Namespace, 'kube-system/kube-system')).rejects.toMatchObject({
    code: 'CLIENT_MISUSED',
    hint: 'write the name alone',
  })
  await expect(client.get(ConfigMap, 'kube-system/a/b')).rejects.toMatchObject({
    code: 'CLIENT_MISUSED',
    message: expect.stringContaining('"kube-system/a/b" is not the key of a ConfigMap') as string,
  })
  expect(await client.delete(ConfigMap, key)).toBe(true)
  expect(await client.delete(ConfigMap, key)).toBe(false)
})

test('refuses names that would address another path before sending anything', async () => {
  await using world = await createWorld()
  const { client, cluster } = world
  for (const name of ['', '..', '/b', 'a/', 'a/b/c', '../a', 'a/..', 'a%2fb']) {
    await expect(client.delete(ConfigMap, name)).rejects.toMatchObject({ code: 'CLIENT_MISUSED' })
  }
  await expect(
    client.create(ConfigMap, { kind: 'Secret', metadata: { name: 'a' } } as never),
  ).rejects.toMatchObject({ code: 'CLIENT_MISUSED' })
  expect(cluster.trace.filter(({ user }) => user === 'admin')).toEqual([])
})

test('owns the fields it applies, and removes those it no longer applies', async () => {
  await using world = await createWorld()
  const { client } = world
  const metadata = { name: 'web' }
  await client.apply(
    ConfigMap,
    { metadata, data: { mine: '1', also: '2' } },
    { fieldManager: 'me' },
  )
  await client.apply(ConfigMap, { metadata, data: { theirs: '3' } }, { fieldManager: 'they' })
  const after = await client.apply(
    ConfigMap,
    { metadata, data: { mine: '9' } },
    { fieldManager: 'me' },
  )
  expect(after.data).toEqual({ mine: '9', theirs: '3' })
  const taking = { metadata, data: { theirs: '0' } }
  await expect(client.apply(ConfigMap, taking, { fieldManager: 'me' })).rejects.toMatchObject({
    code: 'API_CONFLICT',
  })
  const forced = await client.apply(ConfigMap, taking, { fieldManager: 'me', force: true })
  expect(forced.data).toEqual({ theirs: '0' })
})

test('lists page by page, in all namespaces or one', async () => {
  await using world = await createWorld()
  const { client, cluster } = world
  await client.create(Namespace, { metadata: { name: 'other' } })
  for (let index = 0; index < 5; index += 1) {
    const metadata = { name: `c${index}`, labels: { app: 'web' } }
    await client.create(ConfigMap, { metadata })
  }
  await client.create(ConfigMap, {
    metadata: { name: 'o', namespace: 'other', labels: { app: 'web' } },
  })
  const before = cluster.trace.length
  const names: string[] = []
  for await (const { kind, metadata } of client.list(ConfigMap, {
    labelSelector: { app: 'web' },
    pageSize: 2,
  })) {
    names.push(`${kind} ${metadata.namespace}/${metadata.name}`)
  }
  expect(names).toHaveLength(6)
  expect(names[5]).toBe('ConfigMap other/o')
  expect(cluster.trace.length - before).toBe(3)
  await client.deleteAll(ConfigMap, { namespace: 'default', labelSelector: 'app=web' })
  const left = await client.listAll(ConfigMap, { labelSelector: 'app=web' })
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['o'])
})

test('continues a list after a page, even after its revision has expired', async () => {
  await using world = await createWorld()
  const { client, cluster } = world
  for (const name of ['a', 'b', 'c']) {
    await client.create(ConfigMap, { metadata: { name, labels: { app: 'web' } } })
  }
  const options = { namespace: 'default', labelSelector: 'app=web' }
  const first = (await client.listPages(ConfigMap, { ...options, pageSize: 1 }).next()).value
  const namesAfter = async (token: string): Promise<string[]> =>
    (await client.listAll(ConfigMap, { ...options, continue: token })).map(
      ({ metadata }) => metadata.name,
    )
  const token = first?.continue ?? ''
  expect(await namesAfter(token)).toEqual(['b', 'c'])
  using _fault = cluster.faults.answer({ verb: 'list', kind: ConfigMap }, 410, { times: 2 })
  const error: unknown = await namesAfter(token).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'API_EXPIRED' })
  const { status } = error as ApiError
  expect(await namesAfter(status.metadata?.continue ?? '')).toEqual(['b', 'c'])
})

test('watches what exists, then changes, and ends when it is aborted', async () => {
  await using world = await createWorld()
  const { client } = world
  await client.create(ConfigMap, { metadata: { name: 'a' } })
  const seen: string[] = []
  for await (const event of client.watch(ConfigMap, {
    namespace: 'default',
    initialEvents: true,
  })) {
    if (event.type !== 'BOOKMARK') {
      seen.push(`${event.type} ${event.object.metadata.name}`)
      if (event.type === 'DELETED') break
    } else if (event.isInitialEnd) {
      seen.push('initial end')
      await client.delete(ConfigMap, 'a')
    }
  }
  expect(seen).toEqual(['ADDED a', 'ADDED kube-root-ca.crt', 'initial end', 'DELETED a'])
})

test('reports an expired revision of a watch', async () => {
  await using world = await createWorld()
  const { client, cluster } = world
  const { metadata } = await client.create(ConfigMap, { metadata: { name: 'a' } })
  await client.create(ConfigMap, { metadata: { name: 'b' } })
  cluster.compact()
  const { resourceVersion } = metadata
  const events = client.watch(ConfigMap, { resourceVersion })
  await expect(events.next()).rejects.toMatchObject({ code: 'API_EXPIRED' })
})

test('writes status and scale separately from the object', async () => {
  await using world = await createWorld()
  const { client } = world
  await client.create(CustomResourceDefinition, Widget.crd())
  await client.create(Widget, { metadata: { name: 'w' }, spec: {} })
  const status = { ready: true, size: 2 }
  await client.patch(Widget, 'w', { merge: { status }, subresource: 'status' })
  await client.patch(Widget, 'w', { merge: { status: { ready: false } } })
  await client.setScale(Widget, 'w', { replicas: 4 })
  expect(await client.get(Widget, 'w')).toMatchObject({ spec: { size: 4 }, status })
  expect(await client.scale(Widget, 'w')).toEqual({ desired: 4, actual: 2 })
})

test('changes nothing in a dry run, and refuses unknown fields with Strict', async () => {
  await using world = await createWorld()
  const { client } = world
  await client.create(ConfigMap, { metadata: { name: 'a' } }, { dryRun: true })
  expect(await client.find(ConfigMap, 'a')).toBeUndefined()
  const wrong = { metadata: { name: 'a' }, dta: {} } as never
  await expect(
    client.create(ConfigMap, wrong, { fieldValidation: 'Strict' }),
  ).rejects.toMatchObject({ code: 'API_BAD_REQUEST' })
})

test('reports each warning of the server once', async () => {
  const reported: string[] = []
  await using world = await createWorld({ client: { onWarning: (text) => reported.push(text) } })
  const { client } = world
  for (const name of ['a', 'b']) {
    await client.create(ConfigMap, { metadata: { name }, dta: {} } as never, {
      fieldValidation: 'Warn',
    })
  }
  expect(reported).toEqual(['unknown field "dta"'])
})

test('keeps an object that does not match the preconditions of a delete', async () => {
  await using world = await createWorld()
  const { client } = world
  const { metadata } = await client.create(ConfigMap, { metadata: { name: 'a' } })
  await client.delete(ConfigMap, 'a')
  await client.create(ConfigMap, { metadata: { name: 'a' } })
  await expect(
    client.delete(ConfigMap, 'a', { preconditions: { uid: metadata.uid } }),
  ).rejects.toMatchObject({ code: 'API_CONFLICT' })
})

test('evicts a pod, and asks the node for its log', async () => {
  await using world = await createWorld()
  const { client } = world
  const containers = [{ name: 'c', image: 'i' }]
  await client.create(Pod, { metadata: { name: 'p' }, spec: { containers } })
  expect(await client.logs('p').next()).toEqual({ done: true, value: undefined })
  await expect(client.logs('q').next()).rejects.toMatchObject({ code: 'API_NOT_FOUND' })
  await client.evict('p')
  expect(await client.find(Pod, 'p')).toBeUndefined()
  expect(await client.find(Deployment, 'p')).toBeUndefined()
})
