/**
 * Requests that are made to occupy the server. Each would otherwise not be answered within the
 * timeout of the test, end the process, or be answered with an unexplained 500.
 */
import { readText, virtualHost, type HttpRequest } from 'setpoint/host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCluster, type Cluster } from './index.ts'

const host = virtualHost({ seed: 'hostile' })
let cluster: Cluster

beforeAll(async () => {
  cluster = await createCluster({ host, auth: 'off', tls: 'off', workloads: 'off' })
  const account = { metadata: { name: 'default' } }
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', account)
})

afterAll(async () => {
  await cluster.dispose()
  host.stop()
})

interface Answer {
  readonly code: number
  readonly text: string
  readonly message: string
  readonly warning: string
}

async function send(method: string, path: string, body?: object | string): Promise<Answer> {
  return sendWith({}, { method, path, body })
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object | string | undefined
}

async function sendWith(
  headers: Record<string, string>,
  { method, path, body }: Sent,
): Promise<Answer> {
  const request: HttpRequest = {
    method,
    url: cluster.url + path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
  const response = await host.request(request)
  const text = await readText(response.body, 200_000_000)
  const { message = '' } = text.startsWith('{')
    ? (JSON.parse(text.length > 1_000_000 ? '{}' : text) as { message?: string })
    : {}
  return { code: response.status, text, message, warning: response.headers['warning'] ?? '' }
}

const patch = (path: string, body: object | string, type: string): Promise<Answer> =>
  sendWith({ 'content-type': type }, { method: 'PATCH', path, body })
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const operations = 'application/json-patch+json'

const group = 'hostile.example.com'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function definition(plural: string, spec: object): object {
  const names = { plural, singular: plural, kind: plural.toUpperCase(), listKind: `${plural}List` }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  }
}

async function create(plural: string, schema: object, spec: object): Promise<Answer> {
  await send('POST', definitions, definition(plural, { type: 'object', properties: schema }))
  return send('POST', `/apis/${group}/v1/namespaces/default/${plural}`, {
    apiVersion: `${group}/v1`,
    kind: plural.toUpperCase(),
    metadata: { name: 'x' },
    spec,
  })
}

const items = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index))

test('answers a value that a backtracking pattern would test without end', async () => {
  const schema = { text: { type: 'string', pattern: '^(a+)+$' } }
  const { code, message } = await create('backtracks', schema, { text: `${'a'.repeat(60)}!` })
  expect([code, message]).toEqual([422, expect.stringContaining("should match '^(a+)+$'")])
})

test('answers a definition whose default a backtracking pattern would test without end', async () => {
  const text = { type: 'string', pattern: '^(a|a)*$', default: `${'a'.repeat(60)}!` }
  const { code } = await send(
    'POST',
    definitions,
    definition('defaulted', { type: 'object', properties: { text } }),
  )
  expect(code).toBe(422)
})

test('refuses patterns that are too large for a quick check', async () => {
  for (const pattern of ['a'.repeat(1_000_000), `[${'[:'.repeat(400_000)}`]) {
    const text = { type: 'string', pattern }
    const { code, message } = await send(
      'POST',
      definitions,
      definition('large', { type: 'object', properties: { text } }),
    )
    expect([code, message]).toEqual([413, expect.stringContaining('more than the')])
  }
})

test('refuses values whose errors would fill the heap', async () => {
  const values = items(20_000, (index) => `value${index}`)
  const schema = { list: { type: 'array', items: { type: 'string', enum: values } } }
  const list = values.map((value) => `x${value}`)
  expect((await create('wrongs', schema, { list })).code).toBe(413)
  const data = Object.fromEntries(list.map((name) => [`/${name}`, '']))
  const configMap = { metadata: { name: 'wrong' }, data }
  const configMaps = '/api/v1/namespaces/default/configmaps'
  expect((await send('POST', configMaps, configMap)).code).toBe(413)
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', controller: true }
  const ownerReferences = items(20_000, (index) => ({ ...owner, uid: `u${index}` }))
  const owned = { metadata: { name: 'controlled', ownerReferences } }
  expect((await send('POST', configMaps, owned)).code).toBe(413)
})

test('reports all errors of an object that has many', async () => {
  const schema = { list: { type: 'array', items: { type: 'integer' } } }
  const { code, text } = await create('manywrongs', schema, { list: items(2_000, () => 'x') })
  const { details } = JSON.parse(text) as { details: { causes: unknown[] } }
  expect([code, details.causes.length]).toEqual([422, 2_000])
})

test('refuses defaults that multiply a small object', async () => {
  const fields = Object.fromEntries(
    items(3_000, (index) => [`f${index}`, { type: 'string', default: 'x' }]),
  )
  const many = { list: { type: 'array', items: { type: 'object', properties: fields } } }
  const list = items(2_000, () => ({}))
  expect((await create('multiplied', many, { list })).code).toBe(413)
  const long = { text: { type: 'string', default: 'x'.repeat(200_000) } }
  const few = { list: { type: 'array', items: { type: 'object', properties: long } } }
  const { code, message } = await create('enlarged', few, { list })
  expect([code, message]).toEqual([413, expect.stringContaining('with its defaults')])
})

test('merges long lists by their keys', async () => {
  const ports = (count: number) => items(count, (index) => ({ containerPort: index + 1 }))
  const container = (count: number) => ({ name: 'c', image: 'x', ports: ports(count) })
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container(2_000)] } }
  const selector = { matchLabels: { a: 'b' } }
  await send('POST', path, { metadata: { name: 'd' }, spec: { selector, template } })
  const patched = await patch(
    `${path}/d`,
    { spec: { template: { spec: { containers: [container(40_000)] } } } },
    strategic,
  )
  expect(patched.message).toBe('etcdserver: request is too large')
  const finalizers = items(15_000, (index) => `example.com/f${index}`)
  const added = await patch(`${path}/d`, { metadata: { finalizers } }, strategic)
  expect(added.code).toBe(200)
  expect((await patch(`${path}/d`, { metadata: { finalizers } }, strategic)).code).toBe(200)
})

test('finds a repeated one among thousands of owner references', async () => {
  const owner = (index: number) => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: `u${index}` })
  const create = (ownerReferences: object[]) =>
    send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'owned', ownerReferences },
    })
  const { message, warning } = await create([...items(40_000, owner), owner(0)])
  expect(message).toBe('etcdserver: request is too large')
  expect(warning).toContain('duplicate UID(s) observed: u0')
})

test('applies thousands of operations to a large object', async () => {
  const data = Object.fromEntries(items(50_000, (index) => [`k${index}`, '']))
  const path = '/api/v1/namespaces/default/configmaps'
  expect((await send('POST', path, { metadata: { name: 'large' }, data })).code).toBe(201)
  const changes = items(10_000, (index) => ({ op: 'replace', path: `/data/k${index}`, value: 'v' }))
  const { code, text } = await patch(`${path}/large`, changes, operations)
  expect([code, text.match(/:"v"/g)?.length]).toEqual([200, 10_000])
})

test('refuses objects that nest deeper than it can handle, with the limit', async () => {
  const fields = { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  expect((await create('deep', fields, { free: {} })).code).toBe(201)
  const objects = `/apis/${group}/v1/namespaces/default/deep`
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
  ] as const) {
    const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`
    const body = (levels: number) => `{"spec":{"free":{"x":${nested(levels)}}}}`
    expect((await patch(`${objects}/x`, body(400), merge)).code).toBe(200)
    for (const levels of [600, 1_800, 9_900]) {
      const answers = [
        await patch(`${objects}/x`, body(levels), merge),
        await patch(`${objects}/x?fieldManager=m`, body(levels), 'application/apply-patch+yaml'),
        await patch(`${objects}/x`, `[{"op":"add","value":${nested(levels)}}]`, operations),
        await send('POST', definitions, body(levels)),
        await send('DELETE', `${objects}/x`, body(levels)),
      ]
      for (const { code, message } of answers) {
        expect([levels, code, message]).toEqual([
          levels,
          400,
          expect.stringContaining('500 levels'),
        ])
      }
    }
    const answers = await Promise.all([
      send('GET', `${objects}/x?pretty=true`),
      sendWith({ accept: 'application/yaml' }, { method: 'GET', path: `${objects}/x` }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([200, 200])
  }
})

test('refuses a patch that nests an object deeper and deeper', async () => {
  const fields = { free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  await create('deeper', fields, { free: {} })
  const changes = items(600, (index) => ({
    op: 'add',
    path: `/spec/free${'/a'.repeat(index + 1)}`,
    value: {},
  }))
  const path = `/apis/${group}/v1/namespaces/default/deeper/x`
  expect((await patch(path, changes, operations)).code).toBe(422)
  expect((await patch(path, changes.slice(0, 498), operations)).code).toBe(400)
})

test('answers a patch that removes the version of an object', async () => {
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'x' }] },
  }
  const source = { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'] }
  const objects: readonly (readonly [string, object])[] = [
    ['/api/v1/namespaces/default/pods', { spec: template.spec }],
    [
      '/apis/apps/v1/namespaces/default/daemonsets',
      { spec: { selector: { matchLabels: { a: 'b' } }, template } },
    ],
    ['/api/v1/persistentvolumes', { spec: { ...source, hostPath: { path: '/x' } } }],
    ['/apis/storage.k8s.io/v1/csidrivers', { spec: {} }],
  ]
  for (const [path, object] of objects) {
    const created = await send('POST', path, { metadata: { name: 'v' }, ...object })
    expect([path, created.code]).toEqual([path, 201])
    const expected = [
      [null, 400, 'undeterminable'],
      [1, 422, 'cannot unmarshal number into Go struct field .apiVersion'],
      [{}, 422, 'cannot unmarshal object into Go struct field .apiVersion'],
    ] as const
    for (const [apiVersion, code, text] of expected) {
      const answer = await patch(`${path}/v`, { apiVersion }, merge)
      expect([path, answer.code, answer.message]).toEqual([
        path,
        code,
        expect.stringContaining(text),
      ])
    }
  }
})

test('treats names that every JavaScript object has like other names', async () => {
  for (const name of ['constructor', 'toString', 'valueOf']) {
    const resources = { requests: { [name]: '1' } }
    const pods = [
      { resources, containers: [{ name: 'c', image: 'x' }] },
      { resources: {}, containers: [{ name: 'c', image: 'x', resources }] },
      { resources: { limits: { cpu: '1' } }, containers: [{ name: 'c', image: 'x', resources }] },
    ]
    for (const spec of pods) {
      const path = '/api/v1/namespaces/default/pods'
      const { code, message } = await send('POST', path, { metadata: { name: 'p' }, spec })
      expect([code, message]).toEqual([422, expect.stringContaining('must be a standard resource')])
    }
    const limits = [{ type: 'Container', max: { [name]: '1' } }]
    const range = { metadata: { name: 'r' }, spec: { limits } }
    const { code } = await send('POST', '/api/v1/namespaces/default/limitranges', range)
    expect([name, code]).toEqual([name, 422])
  }
})

test('uses the key of an impersonation header that is not percent-encoded as it is', async () => {
  for (const key of ['%zz', '%']) {
    const headers = { 'impersonate-user': 'someone', [`impersonate-extra-${key}`]: 'value' }
    const { code } = await sendWith(headers, { method: 'GET', path: '/api/v1/namespaces' })
    expect([key, code]).toEqual([key, 403])
  }
})

test('refuses an impersonation with the headers of a real server', async () => {
  const url = `${cluster.url}/api/v1/namespaces`
  for (const [header, expected] of [
    ['impersonate-group', 400],
    ['impersonate-user', 403],
  ] as const) {
    const request = { method: 'GET', url, headers: { [header]: 'someone' } }
    const { status, headers, body } = await host.request(request)
    await readText(body, 10_000)
    expect([status, headers['x-content-type-options']]).toEqual([expected, 'nosniff'])
  }
  const { headers, body } = await host.request({ method: 'GET', url: `${url}/missing` })
  await readText(body, 10_000)
  expect(headers['x-content-type-options']).toBeUndefined()
})

test('sends a list while the client reads it', async () => {
  const text = 'x'.repeat(1_000_000)
  const path = '/api/v1/namespaces/kube-public/secrets'
  const secret = (index: number) => ({ metadata: { name: `s${index}` }, stringData: { text } })
  for (const index of items(26, (each) => each)) await send('POST', path, secret(index))
  const lists = await Promise.all(
    items(60, () => host.request({ method: 'GET', url: cluster.url + path })),
  )
  const [first] = lists
  const list = JSON.parse(first === undefined ? '' : await readText(first.body, 100_000_000)) as {
    items: { metadata: { name: string } }[]
  }
  expect(list.items).toHaveLength(26)
  for (const { body } of lists.slice(1)) await body[Symbol.asyncIterator]().return()
  const yaml = await sendWith({ accept: 'application/yaml' }, { method: 'GET', path })
  expect([yaml.code, yaml.text]).toEqual([413, expect.stringContaining('use `limit`')])
})

test('ends a request whose body does not arrive', async () => {
  const slow = virtualHost({ seed: 'slow' })
  await using own = await createCluster({ host: slow, auth: 'off', tls: 'off', workloads: 'off' })
  async function* trickle(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await slow.sleep(1_000)
      yield new TextEncoder().encode(' ')
    }
  }
  const response = await slow.request({
    method: 'POST',
    url: `${own.url}/api/v1/namespaces/default/configmaps`,
    headers: { 'content-type': 'application/json' },
    body: trickle(),
  })
  expect([response.status, await readText(response.body, 1_000)]).toEqual([
    504,
    expect.stringContaining('request did not complete within the allotted timeout'),
  ])
  slow.stop()
})
