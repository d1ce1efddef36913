/**
 * The server has one thread for all clients: large requests let others run between their steps, and
 * what would take too long in one step is refused or takes linear time.
 */
import { nodeHost, readText, virtualHost, type HttpRequest } from 'setpoint/host'
import { ConfigMap } from 'setpoint/kinds'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCluster, type Cluster } from './index.ts'

const host = virtualHost({ seed: 'shared thread' })
let cluster: Cluster

beforeAll(async () => {
  cluster = await createCluster({ host, auth: 'off', tls: 'off', workloads: 'off' })
})

afterAll(async () => {
  await cluster.dispose()
  host.stop()
})

interface Answer {
  readonly code: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

interface ListText {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly { readonly metadata: { readonly name: string } }[]
}

interface Sent {
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

function requestOf(method: string, { path, body, headers = {} }: Sent): HttpRequest {
  return {
    method,
    url: cluster.url + path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

async function send(method: string, sent: Sent): Promise<Answer> {
  const response = await host.request(requestOf(method, sent))
  const text = await readText(response.body, 200_000_000)
  return { code: response.status, text, headers: response.headers }
}

const items = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index))
const many = <T>(count: number, entry: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(items(count, entry))

const configMaps = '/api/v1/namespaces/default/configmaps'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const group = 'shared.example.com'
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const tooMany = 'fields and items, which is the limit'

/** Sends a large request, and then a small one, and returns them in the order of their answers. */
async function order(method: string, sent: Sent): Promise<(string | number)[]> {
  const answered: (string | number)[] = []
  const large = send(method, sent).then(({ code }) => answered.push(code))
  const small = send('GET', { path: '/version' }).then(() => answered.push('small'))
  await Promise.all([large, small])
  return answered
}

test('answers a small request while a large object is created, updated and patched', async () => {
  const object = (value: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'large' },
    data: many(20_000, (index) => [`k${index}`, value]),
  })
  const path = `${configMaps}/large`
  expect(await order('POST', { path: configMaps, body: object('a') })).toEqual(['small', 201])
  expect(await order('PUT', { path, body: object('b') })).toEqual(['small', 200])
  for (const type of ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']) {
    const headers = { 'content-type': `application/${type}` }
    const query = type.startsWith('apply') ? '?fieldManager=m&force=true' : ''
    const sent = { path: path + query, body: object(type), headers }
    expect([type, await order('PATCH', sent)]).toEqual([type, ['small', 200]])
  }
  const small = { path, body: { data: { k1: 'c' } } }
  const headers = { 'content-type': 'application/merge-patch+json' }
  expect(await order('PATCH', { ...small, headers })).toEqual(['small', 200])
})

test('answers a small request while a long list is converted', async () => {
  const path = '/api/v1/namespaces/kube-public/configmaps'
  const data = { text: 'x'.repeat(20_000) }
  for (const index of items(30, (each) => each)) {
    await send('POST', { path, body: { metadata: { name: `c${index}` }, data } })
  }
  const yaml = { accept: 'application/yaml' }
  const protobuf = { accept: 'application/vnd.kubernetes.protobuf' }
  for (const headers of [table, yaml, protobuf]) {
    expect(await order('GET', { path, headers })).toEqual(['small', 200])
  }
  expect(await order('GET', { path: `${path}?pretty=true` })).toEqual(['small', 200])
})

test('answers a small request while a selector reads the content of many objects', async () => {
  const path = '/api/v1/namespaces/kube-public/secrets'
  const stringData = { text: 'x'.repeat(20_000) }
  const before = JSON.parse((await send('GET', { path })).text) as ListText
  for (const index of items(30, (each) => each)) {
    const type = index === 29 ? 'example.com/last' : 'Opaque'
    await send('POST', { path, body: { metadata: { name: `s${index}` }, type, stringData } })
  }
  const none = '?fieldSelector=type%3Dnone'
  expect(await order('GET', { path: path + none })).toEqual(['small', 200])
  const last = 'fieldSelector=type%3Dexample.com/last'
  const list = JSON.parse((await send('GET', { path: `${path}?${last}` })).text) as ListText
  expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['s29'])
  const since = `resourceVersion=${before.metadata.resourceVersion}`
  const watch = `${path}?watch=true&timeoutSeconds=1&${last}&${since}`
  const { text } = await send('GET', { path: watch })
  expect(text.match(/"type":"ADDED"/g)).toHaveLength(1)
})

test('selects objects with thousands of requirements', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps'
  for (const index of items(3, (each) => each)) {
    const labels = { number: String(index), parity: index % 2 === 0 ? 'even' : 'odd' }
    await send('POST', { path, body: { metadata: { name: `selected-${index}`, labels } } })
  }
  const others = items(5_000, (index) => `v${index + 10}`)
  const select = async (kind: 'label' | 'field', terms: readonly string[]): Promise<string[]> => {
    const query = `${kind}Selector=${encodeURIComponent(terms.join(','))}`
    const { text } = await send('GET', { path: `${path}?${query}` })
    const names = (JSON.parse(text) as ListText).items.map(({ metadata }) => metadata.name)
    return names.filter((name) => name.startsWith('selected-'))
  }
  const [zero, one, two] = ['selected-0', 'selected-1', 'selected-2']
  expect(await select('label', [`number in (${others.join(',')},1)`])).toEqual([one])
  expect(await select('label', [`number notin (${others.join(',')},1),number`])).toEqual([
    zero,
    two,
  ])
  expect(await select('label', ['parity=odd', ...others.map((key) => `!${key}`)])).toEqual([one])
  expect(await select('label', ['number', ...others.map((key) => `number!=${key}`)])).toEqual([
    zero,
    one,
    two,
  ])
  expect(await select('label', ['number>0', 'number<3', 'number<2'])).toEqual([one])
  expect(await select('label', ['number in (0,1)', 'number in (1,2)'])).toEqual([one])
  expect(await select('label', ['number', '!number'])).toEqual([])
  const names = others.map((name) => `metadata.name!=${name}`)
  expect(await select('field', [...names, `metadata.name!=${one}`])).toEqual([zero, two])
  expect(await select('field', [`metadata.name=${one}`, `metadata.name=${two}`])).toEqual([])
})

test('converts a list in parts to the same text as its objects', async () => {
  const path = '/api/v1/namespaces/kube-node-lease/configmaps'
  const data = { text: 'some words\nand another line', 'a-key': '{"x": [1, 2]}' }
  for (const index of items(45, (each) => each)) {
    await send('POST', { path, body: { metadata: { name: `c${index + 10}` }, data } })
  }
  const plain = JSON.parse((await send('GET', { path })).text) as { items: object[] }
  expect(plain.items).toHaveLength(45)
  const pretty = await send('GET', { path: `${path}?pretty=true` })
  expect(pretty.text).toBe(JSON.stringify(plain, null, 2))
  const yaml = await send('GET', { path, headers: { accept: 'application/yaml' } })
  expect(yaml.text.match(/^- data:$/gm)).toHaveLength(45)
  expect(yaml.text).toMatch(/^apiVersion: v1\nitems:\n- data:\n/)
  expect(yaml.text).toMatch(/\nkind: ConfigMapList\nmetadata:\n  resourceVersion: "\d+"\n$/)
})

test('refuses objects with more fields and items than it can handle', async () => {
  const path = `${configMaps}/x`
  const data = many(260_000, (index) => [`k${index}`, 0])
  const finalizers = { metadata: { finalizers: items(300_000, () => 'a') } }
  const config = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    data: many(110_000, (index) => [`k${index}`, '']),
  }
  await send('POST', { path: configMaps, body: { metadata: { name: 'x' } } })
  const ofType = (type: string) => ({ headers: { 'content-type': `application/${type}` } })
  const answers = [
    await send('POST', { path: configMaps, body: { metadata: { name: 'y' }, data } }),
    await send('PATCH', { path, body: finalizers, ...ofType('merge-patch+json') }),
    await send('PATCH', { path, body: finalizers, ...ofType('strategic-merge-patch+json') }),
    await send('PATCH', {
      path: `${path}?fieldManager=m`,
      body: config,
      ...ofType('apply-patch+yaml'),
    }),
  ]
  for (const { code, text } of answers) {
    expect([code, text]).toEqual([413, expect.stringContaining(tooMany)])
  }
})

test('refuses a JSON patch that moves the items of a long list thousands of times', async () => {
  const path = '/metadata/finalizers'
  const body = [
    { op: 'add', path, value: items(100_000, () => 'example.com/x') },
    ...items(9_000, () => ({ op: 'add', path: `${path}/0`, value: 'example.com/y' })),
  ]
  await send('POST', { path: configMaps, body: { metadata: { name: 'moved' } } })
  const headers = { 'content-type': 'application/json-patch+json' }
  const { code, text } = await send('PATCH', { path: `${configMaps}/moved`, body, headers })
  expect([code, text]).toEqual([413, expect.stringContaining('replace the list')])
})

test('reports only its size for a definition that cannot be stored', async () => {
  const properties = many(45_000, (index) => [`f${index}`, { type: 'string', uniqueItems: true }])
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural: 'larges', kind: 'Large' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  }
  const metadata = { name: `larges.${group}` }
  const { code, text } = await send('POST', { path: definitions, body: { metadata, spec } })
  expect([code, text]).toEqual([422, expect.stringContaining('may not be more than 1572864 bytes')])
  expect(text).not.toContain('uniqueItems')
})

test('merges thousands of managers', async () => {
  const entry = (index: number) => ({
    manager: `m${index}`,
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
  })
  const data = many(10_000, (index) => [`k${index}`, ''])
  const metadataOf = (count: number) => ({ name: 'managed', managedFields: items(count, entry) })
  await send('POST', { path: configMaps, body: { metadata: metadataOf(0), data } })
  const body = { metadata: metadataOf(10_000), data }
  const { code, text } = await send('PUT', { path: `${configMaps}/managed`, body })
  const { metadata } = JSON.parse(text) as { metadata: { managedFields: object[] } }
  expect([code, metadata.managedFields.length]).toEqual([200, 10])
})

test('finds a repeated review version among thousands', async () => {
  const versions = items(100_000, (index) => `v${index}`)
  const webhook = {
    conversionReviewVersions: [...versions, 'v1'],
    clientConfig: { url: 'https://example.com' },
  }
  const schema = { openAPIV3Schema: { type: 'object' } }
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
    conversion: { strategy: 'Webhook', webhook },
  }
  const metadata = { name: `things.${group}` }
  const { code, text } = await send('POST', { path: definitions, body: { metadata, spec } })
  expect([code, text]).toEqual([422, expect.stringContaining('duplicate version')])
})

test('reads as much of a list as its columns show', async () => {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const openAPIV3Schema = { type: 'object', properties: { spec: open } }
  const column = (jsonPath: string) => (index: number) => ({
    name: `c${index}`,
    type: 'integer',
    jsonPath,
  })
  const define = async (plural: string, jsonPath: string): Promise<string> => {
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema },
      additionalPrinterColumns: items(2_000, column(jsonPath)),
    }
    const names = { plural, kind: plural.toUpperCase() }
    const spec = { group, scope: 'Cluster', names, versions: [version] }
    const metadata = { name: `${plural}.${group}` }
    expect((await send('POST', { path: definitions, body: { metadata, spec } })).code).toBe(201)
    const path = `/apis/${group}/v1/${plural}`
    const identity = { apiVersion: `${group}/v1`, kind: names.kind, metadata: { name: 'x' } }
    const list = items(50_000, (index) => ({ a: index }))
    await send('POST', { path, body: { ...identity, spec: { list } } })
    return path
  }
  const first = await send('GET', {
    path: await define('firsts', '.spec.list[*].a'),
    headers: table,
  })
  const { rows } = JSON.parse(first.text) as { rows: { cells: unknown[] }[] }
  expect(rows[0]?.cells).toEqual(['x', ...items(2_000, () => 0)])
  const missing = await define('missings', '.spec.list[?(@.a=="none")].a')
  expect((await send('GET', { path: missing, headers: table })).code).toBe(413)
})

test('sends as many warnings as clients accept', async () => {
  const unknown = many(50_000, (index) => [`unknown${index}`, 1])
  const body = { metadata: { name: 'warned' }, ...unknown }
  const { code, headers } = await send('POST', { path: configMaps, body })
  expect([code, (headers['warning'] ?? '').length < 8_192]).toEqual([201, true])
})

test('answers 429 when clients do not read large answers, until they read them', async () => {
  const text = 'x'.repeat(1_000_000)
  const path = '/api/v1/namespaces/default/secrets'
  await send('POST', { path, body: { metadata: { name: 'large' }, stringData: { text } } })
  const sent = { path: `${path}/large` }
  const unread = await Promise.all(items(220, () => host.request(requestOf('GET', sent))))
  const refused = unread.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every(({ headers }) => headers['retry-after'] === '1')).toBe(true)
  const [first] = refused
  expect(first === undefined ? '' : await readText(first.body, 10_000)).toContain(
    '"reason":"TooManyRequests"',
  )
  expect((await send('GET', { path: '/version' })).code).toBe(200)
  for (const { body } of unread.filter((each) => each !== first))
    await body[Symbol.asyncIterator]().return()
  expect((await send('GET', sent)).code).toBe(200)
})

test('answers 429 when the bodies of other requests do not end, until their clients leave', async () => {
  const part = new Uint8Array(2_900_000).fill(32)
  const leave = new AbortController()
  async function* unfinished(): AsyncGenerator<Uint8Array> {
    yield part
    await new Promise<never>(() => undefined)
  }
  const refused: string[] = []
  const sent = items(100, async () => {
    const request = { ...requestOf('POST', { path: configMaps }), signal: leave.signal }
    const { status, body } = await host.request({ ...request, body: unfinished() })
    if (status === 429) refused.push(await readText(body, 10_000))
  })
  const ended = Promise.allSettled(sent)
  await host.sleep(1_000)
  expect(refused[0]).toContain('have not finished')
  expect(refused.length).toBeLessThan(20)
  leave.abort()
  await ended
  const after = { path: configMaps, body: { metadata: { name: 'after' }, data: { k: 'v' } } }
  expect((await send('POST', after)).code).toBe(201)
})

test('lets other work run while a collection is deleted', async () => {
  const node = nodeHost()
  await using live = await createCluster({ host: node, auth: 'off', tls: 'off', workloads: 'off' })
  for (const index of items(200, (each) => each)) {
    await live.client.create(ConfigMap, { metadata: { name: `c${index}` } })
  }
  let turns = 0
  const deletion = live.client.deleteAll(ConfigMap)
  const namespace = 'default'
  for (let left = await live.client.listAll(ConfigMap, { namespace }); left.length > 0;) {
    await node.sleep(0)
    left = await live.client.listAll(ConfigMap, { namespace })
    if (left.length > 0 && left.length < 200) turns += 1
  }
  await deletion
  expect(turns).toBeGreaterThan(2)
})
