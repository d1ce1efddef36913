import { nodeHost, readText, virtualHost, type Host, type TlsClientSettings } from 'setpoint/host'
import { describe, expect, test } from 'vitest'
import { createCluster, type Cluster, type ClusterSnapshot } from './index.ts'

interface Answer {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface Kubeconfig {
  readonly 'current-context': string
  readonly clusters: readonly { cluster: { server: string } }[]
  readonly users: readonly {
    name: string
    user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string }
  }[]
}

const decoded = (base64: string | undefined): string =>
  Buffer.from(base64 ?? '', 'base64').toString('utf8')

function credentials(cluster: Cluster): TlsClientSettings {
  const config = JSON.parse(cluster.kubeconfig()) as Kubeconfig
  const user = config.users[0]?.user
  return {
    ca: cluster.caCert,
    cert: decoded(user?.['client-certificate-data']),
    key: decoded(user?.['client-key-data']),
  }
}

interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly headers?: Record<string, string>
  readonly tls?: TlsClientSettings
}

async function call(host: Host, cluster: Cluster, options: Call): Promise<Answer> {
  const response = await host.request({
    method: options.method ?? 'GET',
    url: cluster.url + options.path,
    headers: { 'content-type': 'application/json', ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    tls: options.tls ?? credentials(cluster),
  })
  const text = await readText(response.body, 10_000_000)
  return { code: response.status, headers: response.headers, text }
}

const configMaps = '/api/v1/namespaces/default/configmaps'

describe('a cluster', () => {
  test('answers over HTTPS with its own kubeconfig, and verifies both sides', async () => {
    const host = nodeHost()
    await using cluster = await createCluster({ host })
    const answer = await call(host, cluster, { path: '/api/v1/namespaces/default' })
    expect(answer.code).toBe(200)
    const untrusting = call(host, cluster, { path: '/version', tls: {} })
    await expect(untrusting).rejects.toMatchObject({ code: 'NETWORK_TLS_FAILED' })
  })

  test('serves only public paths to anonymous clients', async () => {
    const host = nodeHost()
    await using cluster = await createCluster({ host })
    const tls = { ca: cluster.caCert }
    expect((await call(host, cluster, { path: '/healthz', tls })).code).toBe(200)
    expect((await call(host, cluster, { path: '/version', tls })).code).toBe(200)
    const refused = await call(host, cluster, { path: configMaps, tls })
    expect(refused.code).toBe(403)
    expect(refused.text).toContain('User \\"system:anonymous\\" cannot list resource')
    const headers = { authorization: 'Bearer nonsense' }
    expect((await call(host, cluster, { path: '/version', tls, headers })).code).toBe(401)
  })

  test('authenticates additional users by the tokens in its kubeconfig, and gives them no rights', async () => {
    const host = virtualHost({ seed: 1 })
    await using cluster = await createCluster({ host, users: [{ name: 'jane' }] })
    const config = JSON.parse(cluster.kubeconfig()) as Kubeconfig
    expect(config['current-context']).toBe('admin')
    const token = config.users.find(({ name }) => name === 'jane')?.user.token
    const headers = { authorization: `Bearer ${token ?? ''}` }
    const refused = await call(host, cluster, { path: configMaps, headers, tls: {} })
    expect(refused.code).toBe(403)
    const review = await call(host, cluster, {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      headers,
      tls: {},
    })
    expect(JSON.parse(review.text)).toMatchObject({
      status: { userInfo: { username: 'jane', uid: 'jane-uid', groups: ['system:authenticated'] } },
    })
  })

  test('gives all clients administrator rights with auth off', async () => {
    const host = virtualHost({ seed: 1 })
    await using cluster = await createCluster({ host, auth: 'off', tls: 'off' })
    expect(cluster.url).toMatch(/^http:/)
    const response = await host.request({ method: 'GET', url: `${cluster.url}${configMaps}` })
    expect(response.status).toBe(200)
  })

  test('is independent of other clusters in the same process', async () => {
    const host = virtualHost({ seed: 1 })
    await using one = await createCluster({ host })
    await using two = await createCluster({ host })
    const body = { metadata: { name: 'a' } }
    const created = await call(host, one, { method: 'POST', path: configMaps, body })
    expect(created.code).toBe(201)
    expect((await call(host, two, { path: `${configMaps}/a` })).code).toBe(404)
    expect((await call(host, two, { path: configMaps, tls: credentials(one) })).code).toBe(403)
  })

  test('starts from a snapshot with its custom resources', async () => {
    const host = virtualHost({ seed: 1 })
    await using first = await createCluster({ host })
    const definition = {
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
            schema: {
              openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        ],
      },
    }
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    await call(host, first, { method: 'POST', path: definitions, body: definition })
    const widgets = '/apis/example.com/v1/namespaces/default/widgets'
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
    const made = await call(host, first, { method: 'POST', path: widgets, body: widget })
    expect(made.code).toBe(201)
    await using second = await createCluster({ host, snapshot: first.snapshot() })
    expect((await call(host, second, { path: `${widgets}/w` })).text).toBe(made.text)
  })

  test('accepts the tokens of a saved cluster after a start from its snapshot', async () => {
    const host = virtualHost({ seed: 1 })
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token'
    const saved = await (async () => {
      await using first = await createCluster({ host })
      await first.settle()
      const { text } = await call(host, first, { method: 'POST', path, body: { spec: {} } })
      const { status } = JSON.parse(text) as { status: { token: string } }
      return { token: status.token, snapshot: first.snapshot() }
    })()
    const { tokenKey: _tokenKey, ...withoutKey } = saved.snapshot
    const codeFrom = async (snapshot: ClusterSnapshot): Promise<number> => {
      await using cluster = await createCluster({ host, snapshot })
      const headers = { authorization: `Bearer ${saved.token}` }
      const { code } = await call(host, cluster, { path: '/api', headers, tls: {} })
      return code
    }
    expect(await codeFrom(saved.snapshot)).toBe(200)
    expect(await codeFrom(withoutKey)).toBe(401)
  })

  test('returns the same bytes with the same seed', async () => {
    const run = async (): Promise<string[]> => {
      const host = virtualHost({ seed: 42 })
      await using cluster = await createCluster({ host })
      const answers: string[] = []
      for (const name of ['a', 'b']) {
        const body = { metadata: { generateName: name }, data: { name } }
        const answer = await call(host, cluster, { method: 'POST', path: configMaps, body })
        answers.push(JSON.stringify(answer))
      }
      return answers
    }
    expect(await run()).toEqual(await run())
  })

  test('records requests without their queries', async () => {
    const host = virtualHost({ seed: 1 })
    await using cluster = await createCluster({ host })
    await call(host, cluster, { path: `${configMaps}?fieldSelector=metadata.name%3Dsecret` })
    expect(cluster.trace.at(-1)).toMatchObject({
      user: 'admin',
      verb: 'list',
      path: configMaps,
      code: 200,
    })
  })
})

test('applies concurrent patches of one object one after the other', async () => {
  const host = virtualHost({ seed: 3 })
  await using cluster = await createCluster({ host })
  await call(host, cluster, { method: 'POST', path: configMaps, body: { metadata: { name: 'c' } } })
  const path = `${configMaps}/c`
  const headers = { 'content-type': 'application/merge-patch+json' }
  const names = Array.from({ length: 20 }, (_, index) => `k${index}`)
  const answers = await Promise.all(
    names.map((name) =>
      call(host, cluster, { method: 'PATCH', path, headers, body: { data: { [name]: 'x' } } }),
    ),
  )
  expect(answers.map(({ code }) => code)).toEqual(names.map(() => 200))
  const { data } = JSON.parse((await call(host, cluster, { path })).text) as { data: object }
  expect(Object.keys(data).sort()).toEqual([...names].sort())
})

describe('a watch', () => {
  test('delivers each event once under many writes', async () => {
    const host = virtualHost({ seed: 7 })
    await using cluster = await createCluster({ host })
    const list = JSON.parse((await call(host, cluster, { path: configMaps })).text) as {
      metadata: { resourceVersion: string }
    }
    const path = `${configMaps}?watch=1&timeoutSeconds=60&resourceVersion=${list.metadata.resourceVersion}`
    const watching = call(host, cluster, { path })
    const names = Array.from({ length: 200 }, (_, index) => `c${index}`)
    await Promise.all(
      names.map(async (name) => {
        const body = { metadata: { name } }
        await call(host, cluster, { method: 'POST', path: configMaps, body })
        await call(host, cluster, { method: 'DELETE', path: `${configMaps}/${name}` })
      }),
    )
    const events = (await watching).text
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            type: string
            object: { metadata: { name: string; resourceVersion: string } }
          },
      )
    const revisions = events.map(({ object }) => Number(object.metadata.resourceVersion))
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b))
    expect(new Set(revisions).size).toBe(400)
    for (const name of names) {
      const types = events
        .filter(({ object }) => object.metadata.name === name)
        .map(({ type }) => type)
      expect(types).toEqual(['ADDED', 'DELETED'])
    }
  })

  test('is ended with 410 when it does not keep up', async () => {
    const host = virtualHost({ seed: 7 })
    await using cluster = await createCluster({ host, history: { eventsMax: 50 } })
    const slow = await host.request({
      method: 'GET',
      url: `${cluster.url}${configMaps}?watch=1&timeoutSeconds=3600`,
      tls: credentials(cluster),
    })
    const data = { big: 'x'.repeat(20_000) }
    for (let index = 0; index < 200; index += 1) {
      const body = { metadata: { name: `c${index}` }, data }
      await call(host, cluster, { method: 'POST', path: configMaps, body })
    }
    const text = await readText(slow.body, 100_000_000)
    const lines = text.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(200)
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired' },
    })
  })

  test('ends after its timeout with a last bookmark', async () => {
    const host = virtualHost({ seed: 7 })
    await using cluster = await createCluster({ host })
    const before = host.monotonicMs()
    const path = `${configMaps}?watch=1&timeoutSeconds=300&allowWatchBookmarks=true&resourceVersion=1`
    const lines = (await call(host, cluster, { path })).text.trimEnd().split('\n')
    expect(host.monotonicMs() - before).toBeGreaterThanOrEqual(300_000)
    const bookmarks = lines.filter((line) => line.includes('"type":"BOOKMARK"'))
    expect(bookmarks).toHaveLength(5)
  })
})
