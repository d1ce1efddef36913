import { CertificateAuthority } from 'setpoint/certificates'
import {
  APIService,
  ConfigMap,
  type Manifest,
  Deployment,
  Namespace,
  Service,
} from 'setpoint/kinds'
import {
  type HttpHandler,
  nodeHost,
  readText,
  virtualHost,
  type ServerRequest,
} from 'setpoint/host'
import { expect, test } from 'vitest'
import { createCluster } from '../../cluster/index.ts'

const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'far.example.com/v1',
  resources: [
    {
      name: 'things',
      singularName: 'thing',
      namespaced: true,
      kind: 'Thing',
      verbs: ['delete', 'deletecollection', 'get', 'list', 'watch'],
    },
  ],
}

/** An aggregated API as a plain handler, and the requests that it received. */
function farServer(things: HttpHandler): {
  handle: HttpHandler
  readonly received: ServerRequest[]
} {
  const received: ServerRequest[] = []
  return {
    received,
    handle: async (request) => {
      received.push(request)
      const path = request.path.split('?')[0] ?? ''
      if (path === '/apis/far.example.com/v1') {
        const headers = { 'content-type': 'application/json' }
        return { status: 200, headers, body: JSON.stringify(resources) }
      }
      return path.includes('/things') ? things(request) : { status: 404 }
    },
  }
}

const apiService: Manifest<APIService> = {
  metadata: { name: 'v1.far.example.com' },
  spec: {
    group: 'far.example.com',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', name: 'far' },
  },
}

async function createWorld() {
  const host = virtualHost({ seed: 'aggregated api' })
  const cluster = await createCluster({ host, auth: 'off', tls: 'off' })
  const send = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await host.request({ method, url: cluster.url + path, headers })
    const { status } = response
    return { status, headers: response.headers, text: await readText(response.body, 1_000_000) }
  }
  return {
    host,
    cluster,
    client: cluster.client,
    send,
    condition: async () => {
      const { status } = await cluster.client.get(APIService, 'v1.far.example.com')
      const [condition] = status?.conditions ?? []
      return `${condition?.status} ${condition?.reason}: ${condition?.message}`
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

const things = '/apis/far.example.com/v1/namespaces/default/things'

/** A Deployment of the server, and its Service. */
async function deployFar({ client, cluster }: Awaited<ReturnType<typeof createWorld>>) {
  await client.create(Deployment, {
    metadata: { name: 'far', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'far' } },
      template: {
        metadata: { labels: { app: 'far' } },
        spec: { containers: [{ name: 'far', image: 'far:1' }] },
      },
    },
  })
  await client.create(Service, {
    metadata: { name: 'far', namespace: 'default' },
    spec: { selector: { app: 'far' }, ports: [{ port: 443, targetPort: 8443 }] },
  })
  await cluster.settle()
}

test('an aggregated API is answered by the pods of its Service', async () => {
  await using world = await createWorld()
  const far = farServer(async () => ({ status: 200, body: 'from the pod' }))
  world.cluster.pods.behave('far:1', { http: far.handle })
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  expect(await world.condition()).toBe(
    'False ServiceNotFound: service/far in "default" is not present',
  )
  expect(await world.send(things)).toMatchObject({ status: 503, text: 'service unavailable\n' })
  await deployFar(world)
  expect(await world.condition()).toBe('True Passed: all checks passed')
  expect(await world.send(things)).toMatchObject({ status: 200, text: 'from the pod' })
  const { peer, headers } = far.received.at(-1) ?? {}
  expect(peer?.certificate).toMatchObject({ subject: { CN: ['front-proxy-client'] } })
  expect(headers).toMatchObject({ 'x-remote-user': 'admin' })
})

test('a watch of an aggregated API is streamed, and ends with its client', async () => {
  await using world = await createWorld()
  let isClosed = false
  async function* events(): AsyncGenerator<Uint8Array> {
    try {
      for (let count = 1; ; count += 1) {
        yield new TextEncoder().encode(`event ${count}\n`)
        await world.host.sleep(1000)
      }
    } finally {
      isClosed = true
    }
  }
  const far = farServer(async () => ({ status: 200, body: events() }))
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  const url = `${world.cluster.url}${things}?watch=1`
  const { body } = await world.host.request({ method: 'GET', url })
  const reader = body[Symbol.asyncIterator]()
  const first = await reader.next()
  expect(new TextDecoder().decode(first.value)).toBe('event 1\n')
  const second = await reader.next()
  expect(new TextDecoder().decode(second.value)).toBe('event 2\n')
  await reader.return()
  await world.host.sleep(5000)
  expect(isClosed).toBe(true)
})

test('a connection to a simulated pod is upgraded', async () => {
  await using world = await createWorld()
  async function* echo(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* body
  }
  const far = farServer(async ({ body }) => ({
    status: 101,
    headers: { connection: 'Upgrade', upgrade: 'echo' },
    body: echo(body),
  }))
  world.cluster.pods.behave('far:1', { http: far.handle })
  await deployFar(world)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  const upgrade = { connection: 'Upgrade', upgrade: 'echo' }
  const answer = await world.send(`${things}/exec`, 'POST', upgrade)
  expect(answer.status).toBe(101)
  expect(far.received.at(-1)?.headers).toMatchObject(upgrade)
})

test('a connection to another process is upgraded, with the headers of both sides', async () => {
  await using world = await createWorld()
  async function* echo(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) yield Buffer.from(Buffer.from(chunk).toString().toUpperCase())
  }
  const far = farServer(async ({ body }) => ({
    status: 101,
    headers: { connection: 'Upgrade', upgrade: 'echo', 'x-far': 'yes' },
    body: echo(body),
  }))
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  let isHeard = (): void => undefined
  const heard = new Promise<void>((resolve) => {
    isHeard = resolve
  })
  async function* words() {
    yield Buffer.from('one')
    await heard
    yield Buffer.from(' two')
  }
  const { status, headers, body } = await world.host.request({
    method: 'POST',
    url: `${world.cluster.url}${things}/one/exec?command=ls`,
    headers: { connection: 'Upgrade', upgrade: 'echo', 'x-stream-protocol-version': 'v4' },
    body: words(),
  })
  expect(status).toBe(101)
  expect(headers).toMatchObject({ upgrade: 'echo', 'x-far': 'yes' })
  expect(headers).not.toHaveProperty('audit-id')
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    if (text === 'ONE') isHeard()
  }
  expect(text).toBe('ONE TWO')
  const received = far.received.at(-1)
  expect(received?.path).toBe(`${things}/one/exec?command=ls`)
  expect(received?.headers).toMatchObject({
    connection: 'Upgrade',
    upgrade: 'echo',
    'x-stream-protocol-version': 'v4',
    'x-remote-user': 'admin',
  })
})

test('an upgrade that the other server refuses is answered as it answers', async () => {
  await using world = await createWorld()
  let status = 403
  const far = farServer(async () => ({ status, body: 'not you' }))
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  const upgrade = { connection: 'Upgrade', upgrade: 'echo' }
  expect(await world.send(things, 'POST', upgrade)).toMatchObject({ status: 403, text: 'not you' })
  status = 200
  expect(await world.send(things, 'POST', upgrade)).toMatchObject({
    status: 503,
    text: 'invalid upgrade response: status code 200\n',
  })
  await server.close({ graceMs: 0 })
  expect(await world.send(things, 'POST', upgrade)).toMatchObject({
    status: 503,
    text: expect.stringMatching(
      /^error dialing backend: dial tcp .*connection refused\n$/,
    ) as string,
  })
})

test('a request that takes more than a minute is answered with 504', async () => {
  await using world = await createWorld()
  let isSilent = false
  const far = farServer(() =>
    isSilent ? new Promise(() => undefined) : Promise.resolve({ status: 404 }),
  )
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  isSilent = true
  const beginMs = world.host.monotonicMs()
  const late = await world.send(things)
  expect(late.status).toBe(504)
  expect(late.text).toContain('request did not complete within the allotted timeout')
  expect(world.host.monotonicMs() - beginMs).toBeGreaterThanOrEqual(60_000)
  const asked = world.host.monotonicMs()
  expect((await world.send(`${things}?timeout=5s`)).status).toBe(504)
  expect(world.host.monotonicMs() - asked).toBeLessThan(10_000)
})

test('an answer that is not complete after a minute is cut, but no watch', async () => {
  await using world = await createWorld()
  async function* slow(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 10; count += 1) {
      yield Buffer.from('.')
      await world.host.sleep(10_000)
    }
  }
  const far = farServer(async () => ({ status: 200, body: slow() }))
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  await expect(world.send(things)).rejects.toMatchObject({ code: 'NETWORK_CONNECTION_LOST' })
  expect(await world.send(`${things}?watch=1`)).toMatchObject({ status: 200, text: '..........' })
})

test('a server that stops answering becomes unavailable, and the rest of the API works', async () => {
  await using world = await createWorld()
  const far = farServer(async () => ({ status: 200, body: 'here' }))
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.cluster.settle()
  await server.close({ graceMs: 0 })
  const address = server.url.replace('http://', '')
  expect(await world.send(things)).toMatchObject({
    status: 503,
    text: `error trying to reach service: dial tcp ${address}: connect: connection refused\n`,
  })
  await world.host.sleep(31_000)
  expect(await world.condition()).toBe(
    `False FailedDiscoveryCheck: failing or missing response from ${server.url}/apis/far.example.com/v1: Get "${server.url}/apis/far.example.com/v1": dial tcp ${address}: connect: connection refused`,
  )
  expect((await world.send('/api/v1/namespaces')).status).toBe(200)
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const { text } = await world.send('/apis', 'GET', { accept })
  const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] }
  expect(items.find(({ metadata }) => metadata.name === 'far.example.com')).toEqual({
    metadata: { name: 'far.example.com' },
    versions: [{ version: 'v1', freshness: 'Stale' }],
  })
})

test('a namespace is deleted with the objects of an aggregated API', async () => {
  await using world = await createWorld()
  let count = 1
  const far = farServer(async ({ method }) => {
    if (method === 'DELETE') count = 0
    const items = Array.from({ length: count }, () => ({ metadata: { name: 'one' } }))
    const headers = { 'content-type': 'application/json' }
    const list = { kind: 'ThingList', apiVersion: 'far.example.com/v1', metadata: {}, items }
    return { status: 200, headers, body: JSON.stringify(list) }
  })
  const server = await world.host.listen({ handle: far.handle })
  using _forwarded = world.cluster.forwardService('default/far', server.url)
  await world.client.create(APIService, apiService)
  await world.client.create(Namespace, { metadata: { name: 'old' } })
  await world.cluster.settle()
  await world.client.delete(Namespace, 'old')
  await world.cluster.settle()
  expect((await world.send('/api/v1/namespaces/old')).status).toBe(404)
  expect(count).toBe(0)
})

test('a namespace waits for a group that cannot be read', async () => {
  await using world = await createWorld()
  await world.client.create(APIService, apiService)
  await world.client.create(Namespace, { metadata: { name: 'old' } })
  await world.cluster.settle()
  await world.client.delete(Namespace, 'old')
  await world.host.sleep(1000)
  const { status } = await world.client.get(Namespace, 'old')
  expect(status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'NamespaceDeletionDiscoveryFailure',
      status: 'True',
      reason: 'DiscoveryFailed',
      message:
        'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: far.example.com/v1: stale GroupVersion discovery: far.example.com/v1',
    }),
  )
  await world.client.delete(APIService, 'v1.far.example.com')
  await world.host.sleep(60_000)
  expect((await world.send('/api/v1/namespaces/old')).status).toBe(404)
})

test('the certificates of both sides are verified', async () => {
  const host = nodeHost()
  const far = farServer(async () => ({ status: 200, body: 'verified' }))
  await using cluster = await createCluster({ host, workloads: 'off' })
  const config = await cluster.client.get(ConfigMap, {
    name: 'extension-apiserver-authentication',
    namespace: 'kube-system',
  })
  const authority = new CertificateAuthority(host, { commonName: 'far-ca' })
  const identity = authority.issue('far', { use: 'server', hosts: ['far.default.svc'] })
  const clientCa = config.data?.['requestheader-client-ca-file']
  await using server = await host.listen({ handle: far.handle, tls: { ...identity, clientCa } })
  using _forwarded = cluster.forwardService('default/far', server.url)
  const { insecureSkipTLSVerify: _, ...spec } = apiService.spec
  const caBundle = Buffer.from(authority.cert).toString('base64')
  await cluster.client.create(APIService, { ...apiService, spec: { ...spec, caBundle } })
  await cluster.settle()
  const { status } = await cluster.client.get(APIService, 'v1.far.example.com')
  expect(status?.conditions?.[0]).toMatchObject({ reason: 'Passed' })
  const { certificate } = far.received.at(-1)?.peer ?? {}
  expect(certificate).toMatchObject({ subject: { CN: ['front-proxy-client'] }, verified: true })
  const other = Buffer.from(cluster.caCert ?? '').toString('base64')
  await cluster.client.patch(APIService, 'v1.far.example.com', {
    merge: { spec: { caBundle: other } },
  })
  await cluster.settle()
  const after = await cluster.client.get(APIService, 'v1.far.example.com')
  expect(after.status?.conditions?.[0]).toMatchObject({
    reason: 'FailedDiscoveryCheck',
    message: expect.stringContaining(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ) as string,
  })
})

test('a large upload over an upgraded connection with TLS arrives in both directions', async () => {
  const host = nodeHost()
  async function* echo(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* body
  }
  const far = farServer(async ({ body }) => ({
    status: 101,
    headers: { connection: 'Upgrade', upgrade: 'echo' },
    body: echo(body),
  }))
  await using cluster = await createCluster({ host, workloads: 'off', auth: 'off' })
  const identity = new CertificateAuthority(host, { commonName: 'far-ca' }).issue('far', {
    use: 'server',
    hosts: ['far.default.svc'],
  })
  await using server = await host.listen({ handle: far.handle, tls: identity })
  using _forwarded = cluster.forwardService('default/far', server.url)
  await cluster.client.create(APIService, apiService)
  await cluster.settle()
  const chunkBytes = 256 * 1024
  const count = 40
  let isReceived = (): void => undefined
  const allReceived = new Promise<void>((resolve) => {
    isReceived = resolve
  })
  async function* upload() {
    for (let sent = 0; sent < count; sent += 1) yield new Uint8Array(chunkBytes).fill(sent)
    await allReceived
  }
  const { status, body } = await host.request({
    method: 'POST',
    url: `${cluster.url}${things}/one/portforward`,
    headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    body: upload(),
    tls: { ca: cluster.caCert },
  })
  expect(status).toBe(101)
  let received = 0
  for await (const chunk of body) {
    received += chunk.length
    if (received === chunkBytes * count) isReceived()
  }
  expect(received).toBe(chunkBytes * count)
})
