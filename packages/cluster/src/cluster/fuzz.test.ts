import fc from 'fast-check'
import { readText, virtualHost, type VirtualHost } from 'setpoint/host'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCluster, type Cluster } from './index.ts'

/**
 * Every request gets a proper response: a Status with a code and a reason, and never "Internal
 * error occurred", which would be a bug of this server.
 */
let host: VirtualHost
let cluster: Cluster

// Each test has its own cluster, because requests may delete definitions.
beforeEach(async () => {
  host = virtualHost({ seed: 'fuzz' })
  cluster = await createCluster({ host, auth: 'off', tls: 'off' })
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          count: { type: 'integer' },
          name: { type: 'string' },
          list: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['key'],
            items: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
          },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  }
  const body = JSON.stringify({
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
        },
      ],
    },
  })
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  expect((await send({ method: 'POST', path, body })).code).toBe(201)
})
afterEach(async () => {
  await cluster.dispose()
  host.stop()
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string | Uint8Array
}

async function send({ method, path, type, body }: Sent): Promise<{ code: number; text: string }> {
  const response = await host.request({
    method,
    url: cluster.url + path,
    headers: { 'content-type': type ?? 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  return { code: response.status, text: await readText(response.body, 50_000_000) }
}

async function expectProperAnswer(sent: Sent): Promise<void> {
  const { code, text } = await send(sent)
  const about = `${sent.method} ${sent.path} ${sent.type ?? ''} ${String(sent.body).slice(0, 300)} -> ${code} ${text.slice(0, 500)}`
  // A real server uses this message for two client errors too.
  if (
    !/(?:missing in 'object has no apiVersion field'|replicas field .* does not exist)/.test(text)
  ) {
    expect(text, about).not.toContain('Internal error occurred')
  }
  if (code < 400) return
  if (['404 page not found\n', '400 Bad Request', ''].includes(text)) return
  // A real server answers with this text to a path that names a verb and no resource.
  if (text.includes('failed to create RequestInfo: unable to determine kind')) return
  expect(JSON.parse(text), about).toMatchObject({ kind: 'Status', status: 'Failure', code })
}

const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/statefulsets',
  '/apis/batch/v1/namespaces/default/jobs',
  '/apis/batch/v1/namespaces/default/cronjobs',
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/example.com/v1/namespaces/default/widgets',
]
const types = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
]

const anyPath = fc
  .tuple(
    fc.constantFrom(...collections),
    fc.constantFrom(
      '',
      '/kube-root-ca.crt',
      '/x',
      '/x/status',
      '/x/scale',
      '/default',
      '/%00',
      '/..',
    ),
    fc.constantFrom(
      '',
      '?fieldManager=f',
      '?dryRun=All',
      '?limit=1&continue=x',
      '?watch=0',
      '?force=true&fieldManager=f',
    ),
  )
  .map((parts) => parts.join(''))
const anyMethod = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE')

/** Objects like manifests with invalid parts. */
const fieldName = fc.constantFrom(
  'apiVersion',
  'kind',
  'metadata',
  'spec',
  'status',
  'name',
  'labels',
  'data',
  'template',
  'containers',
  'rules',
  'ports',
  'selector',
  'replicas',
  'versions',
  'names',
  'schema',
  'items',
  'finalizers',
  'ownerReferences',
  'managedFields',
  '__proto__',
  'constructor',
  'toString',
  '',
)
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, -1, 1.5, 1e300, 'x', '', 'a/b', '2026-01-01T00:00:00Z', '10%'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(fieldName, tie('value')), { maxLength: 4 }).map(asObject),
  ),
})).value

function asObject(entries: [string, unknown][]): object {
  const object = {}
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return object
}

const anyManifest = fc
  .tuple(anyValue, anyValue, fc.constantFrom('x', 'y', 'X', ''), fc.boolean())
  .map(([spec, extra, name, isNamed]) => {
    const rest = typeof extra === 'object' && extra !== null && !Array.isArray(extra) ? extra : {}
    return { ...rest, spec, ...(isNamed ? { metadata: { name } } : {}) }
  })

describe('any request gets a proper response', () => {
  const runs = { numRuns: 300 }

  test('with random bytes', async () => {
    const request = fc.record({
      method: anyMethod,
      path: anyPath,
      type: fc.constantFrom(...types),
      body: fc.uint8Array({ maxLength: 200 }),
    })
    await fc.assert(fc.asyncProperty(request, expectProperAnswer), runs)
  })

  test('with random JSON', async () => {
    const request = fc.record({
      method: anyMethod,
      path: anyPath,
      type: fc.constantFrom(...types),
      body: fc.json(),
    })
    await fc.assert(fc.asyncProperty(request, expectProperAnswer), runs)
  })

  test('with manifests that have invalid parts', async () => {
    const request = fc.record({
      method: fc.constantFrom('POST', 'PUT', 'PATCH'),
      path: anyPath,
      type: fc.constantFrom(...types),
      body: anyManifest.map((value) => JSON.stringify(value)),
    })
    await fc.assert(fc.asyncProperty(request, expectProperAnswer), { numRuns: 1500 })
  })

  test('paths and queries', async () => {
    const segment = fc.constantFrom(
      'api',
      'apis',
      'v1',
      'apps',
      'namespaces',
      'default',
      'pods',
      'watch',
      'proxy',
      'status',
      '..',
      '%2e%2e',
      '%',
      '%zz',
      'x',
      'scale',
      'openapi',
      'v3',
      'healthz',
      'deployments',
      '',
    )
    const query = fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'limit',
            'continue',
            'watch',
            'resourceVersion',
            'resourceVersionMatch',
            'labelSelector',
            'fieldSelector',
            'pretty',
            'timeoutSeconds',
            'sendInitialEvents',
            'dryRun',
            'includeObject',
          ),
          fc.oneof(
            fc.constantFrom(
              '',
              '0',
              '1',
              'true',
              'x',
              'a=b',
              'a in (b',
              '-1',
              '999999999999999999999',
            ),
            fc.string(),
          ),
        ),
        { maxLength: 4 },
      )
      .map((pairs) => new URLSearchParams([...pairs, ['timeoutSeconds', '1']]).toString())
    const request = fc.record({
      method: fc.constantFrom('GET', 'DELETE', 'OPTIONS', 'HEAD'),
      path: fc
        .tuple(fc.array(segment, { maxLength: 7 }), query)
        .map(([segments, text]) => `/${segments.join('/')}?${text}`),
    })
    await fc.assert(fc.asyncProperty(request, expectProperAnswer), runs)
  })
})

describe('refuses oversized requests', () => {
  const path = collections[0] ?? ''

  test('a body above three MiB', async () => {
    const answer = await send({ method: 'POST', path, body: `"${'x'.repeat(3 * 1024 * 1024)}"` })
    expect(answer.code).toBe(413)
    expect(answer.text).toContain('limit is 3145728')
  })

  test.each([
    ['lists', '['.repeat(20_000)],
    ['closed lists', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000)],
    ['YAML flow lists', '['.repeat(5_000)],
  ])('endless nesting: %s', async (_what, body) => {
    for (const type of ['application/json', 'application/yaml']) {
      await expectProperAnswer({ method: 'POST', path, type, body })
      expect((await send({ method: 'POST', path, type, body })).code).toBe(400)
    }
  })

  test('YAML alias bombs', async () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (let index = 1; index < 12; index += 1) {
      const before = String.fromCharCode(96 + index)
      const name = String.fromCharCode(97 + index)
      lines.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`)
    }
    const body = lines.join('\n')
    const answer = await send({ method: 'POST', path, type: 'application/yaml', body })
    expect(answer.code).toBe(400)
  })

  test('an object above the size limit of etcd', async () => {
    const widgets = '/apis/example.com/v1/namespaces/default/widgets'
    const spec = { free: { big: 'x'.repeat(1_700_000) } }
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'big' }, spec }
    const answer = await send({ method: 'POST', path: widgets, body: JSON.stringify(body) })
    expect(answer.code).toBe(500)
    expect(answer.text).toContain('etcdserver: request is too large')
  })

  test('keeps the digits of numbers beyond a double', async () => {
    const widgets = '/apis/example.com/v1/namespaces/default/widgets'
    const body =
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"num"},"spec":{"count":9007199254740993,"free":{"n":9223372036854775807}}}'
    const answer = await send({ method: 'POST', path: widgets, body })
    expect(answer.code).toBe(201)
    expect(answer.text).toContain('"count":9007199254740993')
    expect(answer.text).toContain('"n":9223372036854775807')
    expect((await send({ method: 'GET', path: `${widgets}/num` })).text).toBe(answer.text)
  })
})
