import { expect, test } from 'vitest'
import { createCluster, testWorld } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig } from '../client/index.ts'
import { readText, virtualHost } from '../host/index.ts'
import { APIService, ClusterRole, ClusterRoleBinding, Namespace } from '../kinds/index.ts'
import { rbacFor } from '../operator/index.ts'
import { webhookPermissions } from '../webhooks/index.ts'
import { createWorld } from './testdata/world.ts'
import { Note, notesApi } from './testdata/notes-api.ts'

test('a client uses an aggregated API by the API server like any other', async () => {
  const { api, users } = notesApi()
  await using world = await createWorld(api)
  const { client, cluster } = world
  await cluster.settle()
  const { status } = await client.get(APIService, 'v1.notes.example.com')
  expect(status?.conditions?.[0]).toMatchObject({ type: 'Available', status: 'True' })
  const created = await client.create(Note, { metadata: { name: 'a' }, spec: { text: 'x' } })
  expect(created).toMatchObject({
    apiVersion: 'notes.example.com/v1',
    kind: 'Note',
    metadata: { name: 'a', namespace: 'default', generation: 1 },
    spec: { text: 'x', stars: 1 },
  })
  expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
  expect(await client.get(Note, 'a')).toEqual(created)
  await client.create(Namespace, { metadata: { name: 'other' } })
  await client.create(Note, { metadata: { name: 'b', namespace: 'other' }, spec: { text: 'y' } })
  const names = async (options: object) =>
    (await client.listAll(Note, options)).map(({ metadata }) => metadata.name)
  expect(await names({})).toEqual(['a', 'b'])
  expect(await names({ namespace: 'other' })).toEqual(['b'])
  const replaced = await client.replace(Note, { ...created, spec: { text: 'z', stars: 2 } })
  expect(replaced).toMatchObject({ metadata: { generation: 2 }, spec: { text: 'z', stars: 2 } })
  const patched = await client.patch(Note, 'a', { merge: { spec: { stars: 3 } } })
  expect(patched.spec).toEqual({ text: 'z', stars: 3 })
  await client.patch(Note, 'a', { json: [{ op: 'replace', path: '/spec/stars', value: 4 }] })
  expect((await client.get(Note, 'a')).spec.stars).toBe(4)
  await client.delete(Note, 'a')
  expect(await client.find(Note, 'a')).toBeUndefined()
  expect(new Set(users)).toEqual(new Set(['admin']))
})

/** A cluster without authentication, so that a test can send any request as an administrator. */
async function createOpenWorld() {
  const notes = notesApi()
  const world = await testWorld({
    operators: [notes.api],
    workloads: 'off',
    auth: 'off',
    tls: 'off',
  })
  await world.cluster.settle()
  const { host, cluster } = world
  const root = `${cluster.url}/apis/notes.example.com/v1/namespaces/default/notes`
  const ask = async (path: string, accept = 'application/json') => {
    const response = await host.request({ method: 'GET', url: root + path, headers: { accept } })
    const { status, headers } = response
    const body = JSON.parse(await readText(response.body, 1_000_000)) as Record<string, unknown>
    return { status, headers, body }
  }
  const send = async (
    method: string,
    path: string,
    sent: { type?: string; body?: unknown } = {},
  ) => {
    const { type = 'application/json', body } = sent
    const response = await host.request({
      method,
      url: root + path,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    const text = await readText(response.body, 1_000_000)
    return { status, headers, body: JSON.parse(text) as Record<string, unknown> }
  }
  const create = async (name: string, labels: Record<string, string> = {}) =>
    world.client.create(Note, { metadata: { name, labels }, spec: { text: `about ${name}` } })
  return {
    ...notes,
    world,
    host,
    client: world.client,
    ask,
    send,
    create,
    root,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

test('kubectl gets tables with the columns of the definition', async () => {
  await using world = await createOpenWorld()
  await world.create('a')
  await world.host.sleep(150_000)
  const { body } = await world.ask('', tableType)
  expect(body).toMatchObject({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    columnDefinitions: [
      { name: 'Name', format: 'name' },
      { name: 'Text', type: 'string', priority: 0 },
      { name: 'Stars', type: 'integer', priority: 1 },
      { name: 'Age', type: 'date' },
    ],
    rows: [
      {
        cells: ['a', 'about a', 1, '2m30s'],
        object: { kind: 'PartialObjectMetadata', metadata: { name: 'a', namespace: 'default' } },
      },
    ],
  })
  const metadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
  expect((await world.ask('', metadata)).body).toMatchObject({
    kind: 'PartialObjectMetadataList',
    items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
  })
  expect((await world.ask('', 'application/vnd.kubernetes.protobuf')).status).toBe(406)
})

test('lists are selected and come in pages', async () => {
  await using world = await createOpenWorld()
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await world.create(name, name < 'd' ? { early: 'yes' } : {})
  }
  const names = async (query: string) => {
    const { body } = await world.ask(query)
    const { items, metadata } = body as unknown as {
      items: { metadata: { name: string } }[]
      metadata: { continue?: string; remainingItemCount?: number }
    }
    return { names: items.map((one) => one.metadata.name).join(''), ...metadata }
  }
  expect(await names('?labelSelector=early')).toMatchObject({ names: 'abc' })
  expect(await names('?labelSelector=early!%3Dyes')).toMatchObject({ names: 'de' })
  expect(await names('?fieldSelector=metadata.name%3Dc')).toMatchObject({ names: 'c' })
  const first = await names('?limit=2')
  expect(first).toMatchObject({ names: 'ab', remainingItemCount: 3 })
  const second = await names(`?limit=2&continue=${first.continue}`)
  expect(second).toMatchObject({ names: 'cd', remainingItemCount: 1 })
  const last = await names(`?limit=2&continue=${second.continue}`)
  expect(last).toMatchObject({ names: 'e' })
  expect(last.continue).toBeUndefined()
  expect((await world.ask('?fieldSelector=spec.text%3Dx')).body).toMatchObject({
    code: 400,
    message: 'field label not supported: spec.text',
  })
})

test('a watch begins with the objects, follows changes and ends with its client', async () => {
  await using world = await createOpenWorld()
  await world.create('a', { shown: 'yes' })
  const read = async (query: string, accept = 'application/json') => {
    const url = `${world.root}?watch=true&${query}`
    const { body } = await world.host.request({ method: 'GET', url, headers: { accept } })
    const reader = body[Symbol.asyncIterator]()
    const waiting: string[] = []
    const next = async () => {
      while (waiting.length === 0) {
        const { value } = await reader.next()
        waiting.push(...new TextDecoder().decode(value).trim().split('\n'))
      }
      return JSON.parse(waiting.shift() ?? '') as { type: string; object: Record<string, unknown> }
    }
    return { next, end: () => reader.return() }
  }
  const all = await read(
    'allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  )
  expect(await all.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } })
  expect(await all.next()).toMatchObject({
    type: 'BOOKMARK',
    object: { kind: 'Note', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  })
  const shown = await read('labelSelector=shown')
  expect(await shown.next()).toMatchObject({ type: 'ADDED', object: { kind: 'Note' } })
  const table = await read('resourceVersion=5', tableType)
  await world.client.patch(Note, 'a', { merge: { metadata: { labels: { shown: null } } } })
  expect(await all.next()).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'a' } } })
  expect(await shown.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a' } } })
  expect(await table.next()).toMatchObject({
    type: 'MODIFIED',
    object: { kind: 'Table', rows: [{ cells: ['a', 'about a', 1, '0s'] }] },
  })
  expect(await all.next()).toMatchObject({ type: 'BOOKMARK' })
  for (const one of [all, shown, table]) await one.end()
  await world.host.sleep(5000)
  expect(world.endedWatches()).toBe(3)
})

test('a watch outlives the limit of an exchange, and ends at its own', async () => {
  await using world = await createOpenWorld()
  const startMs = world.host.now()
  const url = `${world.root}?watch=true&timeoutSeconds=100`
  const { body } = await world.host.request({ method: 'GET', url })
  expect(await readText(body, 100)).toBe('')
  expect(world.host.now() - startMs).toBeGreaterThanOrEqual(100_000)
})

test('invalid objects and requests are refused in the words of API servers', async () => {
  await using world = await createOpenWorld()
  const { send } = world
  await world.create('a')
  const body = { metadata: { name: 'b' }, spec: { text: 'x', starz: 2 } }
  const strict = await send('POST', '?fieldValidation=Strict', { body })
  expect(strict.body).toMatchObject({
    code: 400,
    message: expect.stringContaining('strict decoding error: unknown field "spec.starz"') as string,
  })
  const warned = await send('POST', '?dryRun=All', { body })
  expect(warned).toMatchObject({ status: 201, body: { spec: { text: 'x', stars: 1 } } })
  expect(warned.headers['warning']).toBe('299 - "unknown field \\"spec.starz\\""')
  expect(world.notes.has('default/b')).toBe(false)
  const long = { metadata: { name: 'b' }, spec: { text: 'x'.repeat(30), stars: -1 } }
  expect((await send('POST', '', { body: long })).body).toMatchObject({
    code: 422,
    reason: 'Invalid',
    message: expect.stringContaining('Note.notes.example.com "b" is invalid: [spec.') as string,
    details: { kind: 'Note', causes: [{ field: 'spec.text' }, { field: 'spec.stars' }] },
  })
  const generated = { metadata: { generateName: 'n-' }, spec: { text: 'x' } }
  expect((await send('POST', '', { body: generated })).body).toMatchObject({
    metadata: { name: expect.stringMatching(/^n-[a-z0-9]{5}$/) as string },
  })
  expect(
    (await send('POST', '', { body: { ...body, metadata: { name: 'a' } } })).body,
  ).toMatchObject({
    code: 409,
    reason: 'AlreadyExists',
    message: 'notes.notes.example.com "a" already exists',
  })
  const apply = { type: 'application/apply-patch+yaml', body: {} }
  expect((await send('PATCH', '/a', apply)).body).toMatchObject({
    code: 415,
    reason: 'UnsupportedMediaType',
  })
  expect((await send('DELETE', '')).body).toMatchObject({ code: 405 })
  expect((await send('GET', '/none')).body).toMatchObject({
    code: 404,
    details: { name: 'none', group: 'notes.example.com', kind: 'notes' },
  })
  expect((await send('GET', '/a/status')).body).toMatchObject({ code: 404 })
  expect((await send('DELETE', '/a')).body).toMatchObject({ status: 'Success' })
})

test('what a function throws becomes the answer, and no client waits for a slow one', async () => {
  await using world = await createOpenWorld()
  const { send } = world
  expect((await send('GET', '/broken')).body).toMatchObject({
    code: 500,
    message: expect.stringMatching(
      /^Internal error occurred: the function get of Note failed: no database \(testdata\/notes-api\.ts:\d+:\d+\)$/,
    ) as string,
  })
  const busy = await send('GET', '/busy')
  expect(busy.body).toMatchObject({
    code: 429,
    message: 'later',
    details: { retryAfterSeconds: 7 },
  })
  expect(busy.headers['retry-after']).toBe('7')
  expect((await send('GET', '/secret')).body).toMatchObject({
    code: 403,
    message: 'notes.notes.example.com "secret" is forbidden: it is secret',
  })
  expect((await send('GET', '/slow')).body).toMatchObject({ code: 504, reason: 'Timeout' })
})

test('a request that does not come from an API server is refused', async () => {
  await using world = await createOpenWorld()
  const { host } = world
  const { webhooksUrl } = world.world.running
  const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }
  const ask = async (path: string) =>
    (await host.request({ method: 'GET', url: `${webhooksUrl}${path}`, headers })).status
  expect(await ask('/apis/notes.example.com/v1/notes')).toBe(401)
  expect(await ask('/apis')).toBe(401)
  expect(await ask('/readyz')).toBe(200)
})

test('operators in the cluster itself serve an API, and register it', async () => {
  const host = virtualHost({ seed: 1 })
  const { api, notes } = notesApi()
  await using cluster = await createCluster({ host, operators: [api], workloads: 'off' })
  await cluster.settle()
  await cluster.client.create(Note, { metadata: { name: 'a' }, spec: { text: 'x' } })
  expect([...notes.keys()]).toEqual(['default/a'])
  host.stop()
})

test('a process has only the permissions of the generated roles', async () => {
  const { api } = notesApi()
  const service = { name: 'notes-webhooks', namespace: 'default' }
  const { everywhere, within, inKubeSystem } = webhookPermissions([api], { service })
  await using world = await testWorld({
    operators: [api],
    workloads: 'off',
    rules: [...rbacFor([api]), ...everywhere, ...within, ...inKubeSystem],
    users: [{ name: 'reader' }],
  })
  await world.cluster.settle()
  const { client, cluster, host } = world
  await client.create(Note, { metadata: { name: 'a' }, spec: { text: 'x' } })
  const { spec } = await client.get(APIService, 'v1.notes.example.com')
  expect(spec.caBundle).toBeDefined()
  const context = { context: 'reader' }
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), context)
  const reader = new Client(host, connection)
  await expect(reader.get(Note, 'a')).rejects.toMatchObject({ status: { code: 403 } })
  const metadata = { name: 'readers' }
  const apiGroup = 'rbac.authorization.k8s.io'
  const rules = [{ apiGroups: ['notes.example.com'], resources: ['notes'], verbs: ['get'] }]
  await client.create(ClusterRole, { metadata, rules })
  await client.create(ClusterRoleBinding, {
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'readers' },
    subjects: [{ apiGroup, kind: 'User', name: 'reader' }],
  })
  expect((await reader.get(Note, 'a')).spec.text).toBe('x')
  const reviews = cluster.trace.filter(({ path }) => path.includes('subjectaccessreviews'))
  expect(reviews).toMatchObject([{ user: 'operator' }])
})
